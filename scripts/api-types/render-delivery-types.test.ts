import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../packages/server/src/explorer/open-api.ts';
import { DELIVERY_TYPES_PATH, renderDeliveryTypes, renderTypes } from './render-delivery-types.ts';

test('the types of the delivery API match its schemas', () => {
  const kept = readFileSync(join(import.meta.dirname, '../..', DELIVERY_TYPES_PATH), 'utf8');
  expect(kept, 'run npm run generate:api-types').toBe(renderDeliveryTypes());
});

const THING: JsonSchema = { description: 'A thing.', type: 'object', properties: {} };
const NAME: JsonSchema = { description: 'A name.', type: 'string' };
const TO_THING: JsonSchema = { $ref: '#/components/schemas/Thing' };

test.each<[schema: JsonSchema, type: string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['number', 'null'] }, 'number | null'],
  [{ type: 'null' }, 'null'],
  [{ type: 'string', const: 'a' }, "'a'"],
  [{ type: 'string', enum: ['a', 'b'] }, "'a' | 'b'"],
  [TO_THING, 'ThingBody'],
  [{ $ref: '#/components/schemas/Name' }, 'Name'],
  [{ anyOf: [TO_THING, { type: 'null' }] }, 'ThingBody | null'],
  [{ type: 'array', items: TO_THING }, 'readonly ThingBody[]'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
  [{ type: 'object', additionalProperties: TO_THING }, 'Readonly<Record<string, ThingBody>>'],
])('a property with the schema %j has the type %s', (schema, type) => {
  const whole: JsonSchema = {
    description: 'A whole.',
    type: 'object',
    properties: { part: schema },
    required: ['part'],
  };
  expect(renderTypes({ Whole: whole, Thing: THING, Name: NAME })).toContain(
    `/** A whole. */\nexport interface WholeBody {\n  readonly part: ${type};\n}\n`,
  );
});

test('comments contain the descriptions and examples of schemas and properties, and properties may be optional', () => {
  const time: JsonSchema = { description: 'A time.', type: 'string', examples: ['10:00'] };
  const event: JsonSchema = {
    description: 'An event.',
    type: 'object',
    properties: {
      start: { ...{ $ref: '#/components/schemas/Time' }, description: 'When it starts.' },
      end: { $ref: '#/components/schemas/Time' },
    },
    required: ['start'],
  };
  const types = renderTypes({ Time: time, Event: event });
  expect(types).toContain("/**\n * A time.\n * @example '10:00'\n */\nexport type Time = string;\n");
  expect(types).toContain(
    '/** An event. */\nexport interface EventBody {\n  /** When it starts. */\n  readonly start: Time;\n  readonly end?: Time;\n}\n',
  );
});

test.each<[fault: string, schema: JsonSchema]>([
  ['has no description', { type: 'string' }],
  [
    'There is no schema Nothing',
    { description: 'It.', type: 'array', items: { $ref: '#/components/schemas/Nothing' } },
  ],
  ['does not describe its parts', { description: 'It.', type: 'object' }],
])('a schema is rejected with the reason: %s', (fault, schema) => {
  expect(() => renderTypes({ It: schema })).toThrow(fault);
});

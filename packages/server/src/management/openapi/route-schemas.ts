// Converts the routes' schemas into JSON Schemas for the document. Schemas with an id become components.

import { z } from 'zod';
import { isJsonObject } from '../../content/strict-json.ts';
import type { Route } from '../route.ts';
import { faultBody } from '../routes/content-bodies.ts';
import type { JsonSchema } from './management-document.ts';

export interface RouteSchemas {
  readonly query: JsonSchema | undefined;
  readonly body: JsonSchema | undefined;
  /** The fields of a form, without its files. */
  readonly fields: JsonSchema | undefined;
  readonly answer: JsonSchema | undefined;
}

export interface DocumentSchemas {
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly ofRoutes: ReadonlyMap<Route, RouteSchemas>;
}

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

export function buildRouteSchemas(routes: readonly Route[]): DocumentSchemas {
  // Every route can return an error response with a list of faults.
  const answers = convert(
    [faultBody, ...routes.flatMap(({ answer, form }) => [answer ?? [], form?.answer ?? []].flat())],
    'output',
  );
  const inputs = convert(
    routes.flatMap(({ query, body, form }) =>
      [query, body, form?.fields, form?.resumed].filter((schema) => schema !== undefined),
    ),
    'input',
  );
  const names = nameInputs(inputs.definitions, answers.definitions);
  const components = {
    ...renameReferences(answers.definitions, (name) => name),
    ...Object.fromEntries(
      Object.entries(renameReferences(inputs.definitions, (name) => names.get(name) ?? name)).map(([name, schema]) => [
        names.get(name) ?? name,
        schema,
      ]),
    ),
  };
  const findInput = (schema: z.ZodType | undefined): JsonSchema | undefined =>
    schema && renameReferences(inputs.find(schema), (name) => names.get(name) ?? name);
  const ofRoutes = routes.map((route): readonly [Route, RouteSchemas] => [
    route,
    {
      query: findInput(route.query),
      body: joinSchemas([findInput(route.body) ?? [], findInput(route.form?.resumed) ?? []].flat()),
      fields: findInput(route.form?.fields),
      answer: joinSchemas(
        [route.answer ?? [], route.form?.answer ?? []]
          .flat()
          .map((schema) => renameReferences(answers.find(schema), (name) => name)),
      ),
    },
  ]);
  return { components, ofRoutes: new Map(ofRoutes) };
}

/** A route that takes files accepts several kinds of bodies, and may have several kinds of responses. */
function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  return schemas.length > 1 ? { anyOf: [...schemas] } : schemas[0];
}

interface Conversion {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly find: (schema: z.ZodType) => JsonSchema;
}

/** Converts all schemas together, because they share components. */
function convert(schemas: readonly z.ZodType[], io: 'input' | 'output'): Conversion {
  const numbered = new Map([...new Set(schemas)].map((schema, index) => [schema, `n${index}`]));
  const shape = Object.fromEntries([...numbered].map(([schema, name]) => [name, schema]));
  const converted: JsonSchema = z.toJSONSchema(z.strictObject(shape), {
    io,
    // The description still states any rule that JSON Schema cannot express.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => describeRule(zodSchema, jsonSchema),
  });
  return {
    definitions: converted.$defs ?? {},
    find: (schema) => {
      const found = converted.properties?.[numbered.get(schema) ?? ''];
      if (typeof found !== 'object') throw new Error('A schema was not converted');
      return found;
    },
  };
}

/** A property's error message says what is allowed, so it becomes the description. */
function describeRule(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema): void {
  // The largest safe integer is not a limit worth documenting.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  const { error } = zodSchema._zod.def;
  const isSaid = jsonSchema.enum !== undefined || jsonSchema.type === 'boolean' || jsonSchema.type === 'object';
  if (error === undefined || isSaid || jsonSchema.description !== undefined) return;
  const rule: unknown = Reflect.apply(error, undefined, [{ code: 'invalid_type', input: undefined, path: [] }]);
  if (typeof rule === 'string') jsonSchema.description = `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}.`;
}

/** Request and response schemas with the same name may differ. */
function nameInputs(
  inputs: Conversion['definitions'],
  answers: Conversion['definitions'],
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(inputs).map(([name, schema]) => {
      const isTaken = name in answers && JSON.stringify(answers[name]) !== JSON.stringify(schema);
      return [name, isTaken ? `${name}Input` : name];
    }),
  );
}

/** Copies the schema and changes its references to point to the document's components. */
function renameReferences<Value>(value: Value, rename: (name: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (key === '$ref' && typeof member === 'string' && member.startsWith(DEFINITIONS)) {
      return `${COMPONENTS}${rename(member.slice(DEFINITIONS.length))}`;
    }
    return isJsonObject(member) ? joinNull(member) : member;
  });
}

/** `string or null` is easier to read than a choice between two schemas. */
function joinNull(schema: Readonly<Record<string, unknown>>): unknown {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [member, other]: readonly unknown[] = anyOf;
  if (!isJsonObject(member) || !isJsonObject(other) || typeof member.type !== 'string') return schema;
  if (other.type !== 'null' || Object.keys(other).length !== 1 || 'const' in member) return schema;
  const values = Array.isArray(member.enum) ? { enum: [...member.enum, null] } : {};
  return { ...member, ...rest, type: [member.type, 'null'], ...values };
}

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { compileResponseCheck, compileSchemas, resolveHeader } from '../../test/support/openapi-check.ts';
import { FIELD_ACCESSORS } from '../content/field.ts';
import { PROBLEMS } from '../http/problems.ts';
import { IMAGE_PARAMETERS, parseImageParameters } from '../images/image-parameters.ts';
import { EXAMPLE_CONTENT } from './example-content.ts';
import type { JsonSchema, Response } from './open-api.ts';
import { buildOpenApiDocument } from './openapi-document.ts';

const document = buildOpenApiDocument({ headerPrefix: 'X-SERVICE', version: '1.2.3' });
const check = compileSchemas(document);

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone({ ...document }));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('refers only to components that exist, and has no unused components', () => {
    const text = JSON.stringify(document);
    const wanted = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, pointer]) => pointer));
    const { schemas, responses, parameters, headers } = document.components;
    const offered = Object.entries({ schemas, responses, parameters, headers }).flatMap(([room, parts]) =>
      Object.keys(parts).map((name) => `${room}/${name}`),
    );
    // The Link header is defined inline in its response, with its own example.
    expect([...wanted].sort()).toEqual(offered.filter((pointer) => pointer !== 'headers/Link').sort());
  });

  test('describes both endpoints with GET and HEAD, files, the change feed and its stream, the health paths, and nothing else', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(operations).toEqual([
      'get /api/v1/content',
      'head /api/v1/content',
      'get /api/v1/content/{id}',
      'head /api/v1/content/{id}',
      'get /assets/{site}/{asset}/{version}/{name}',
      'get /changes/v1',
      'get /changes/v1/stream',
      'get /livez',
      'get /readyz',
    ]);
  });

  test('gives each operation a unique id', () => {
    const ids = Object.values(document.paths).flatMap((item) => [item.get, item.head].map((it) => it?.operationId));
    const given = ids.filter((id) => id !== undefined);
    expect(new Set(given).size).toBe(given.length);
  });

  test('uses the configured prefix for all service headers', () => {
    const branded = JSON.stringify(buildOpenApiDocument({ headerPrefix: 'X-Acme', version: '1.2.3' }));
    expect(branded).not.toContain('X-SERVICE');
    for (const name of ['SITE', 'SIMPLE-PAGINATION', 'LANGUAGE', 'PREVIEW', 'SOURCE-MAP'])
      expect(branded).toContain(`X-Acme-${name}`);
  });

  test('uses the public address as its server and in its examples', () => {
    const { servers, components } = buildOpenApiDocument({
      headerPrefix: 'X-SERVICE',
      publicUrl: 'https://cms.example.org/api-root/',
      version: '1.2.3',
    });
    expect(servers[0]?.url).toBe('https://cms.example.org/api-root');
    expect(JSON.stringify(components.responses)).toContain('"https://cms.example.org/api-root/api/v1/content"');
  });

  test('allows no additional properties in any object, and requires all properties except the source map', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (schema.properties === undefined) continue;
      expect(schema.additionalProperties, name).toBe(false);
      expect(schema.required, name).toEqual(Object.keys(schema.properties).filter((it) => it !== 'source_map'));
    }
  });

  test('has a field schema for each field type, with the accessor of that type', () => {
    const mapping = document.components.schemas.Field?.discriminator?.mapping ?? {};
    const accessors = Object.entries(mapping).map(([type, pointer]) => {
      const schema = document.components.schemas[pointer.slice(pointer.lastIndexOf('/') + 1)];
      return [type, Object.keys(schema?.properties ?? {}).at(-1)];
    });
    expect(Object.fromEntries(accessors)).toEqual(FIELD_ACCESSORS);
  });
});

describe('the examples', () => {
  const responses: readonly (readonly [string, Response])[] = [
    ...Object.entries(document.components.responses),
    ...Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item.get.responses).flatMap(([status, it]) =>
        '$ref' in it ? [] : [[`${path} ${status}`, it] as const],
      ),
    ),
  ];

  test.each(responses)('match their schemas in the response %s', (_, response) => {
    for (const media of Object.values(response.content ?? {})) {
      for (const example of Object.values(media.examples)) expect(check(media.schema, example.value)).toEqual([]);
    }
    for (const reference of Object.values(response.headers ?? {})) {
      const header = resolveHeader(document, reference);
      if (header.example !== undefined) expect(check(header.schema, header.example)).toEqual([]);
    }
  });

  test.each(Object.entries(document.components.parameters))('include a valid default for %s', (_, { schema }) => {
    if (schema.default !== undefined) expect(check(schema, schema.default)).toEqual([]);
  });

  test('include a field of every type', () => {
    const types = Object.values(EXAMPLE_CONTENT.fields).map((field) => field.type);
    expect(types).toEqual(Object.keys(FIELD_ACCESSORS));
  });
});

describe('the parameters', () => {
  const sort = document.components.parameters.sort?.schema ?? {};
  const fields = document.components.parameters.fields?.schema ?? {};

  const accepted: readonly (readonly [JsonSchema, unknown])[] = [
    [sort, ['name:asc']],
    [sort, ['rank.number:desc', 'published_at']],
    [fields, { 'fields[number][rank]': 5, 'fields[text][title]': 'Hello' }],
    [fields, { 'fields[content_links][related][slug][0]': 'a', 'fields[is_on][featured]': true }],
  ];
  test.each(accepted)('accept the values that the API accepts (%#)', (schema, value) => {
    expect(check(schema, value)).toEqual([]);
  });

  const refused: readonly (readonly [JsonSchema, unknown])[] = [
    [sort, ['name:up']],
    [sort, ['title']],
    [sort, ['rank.date:asc']],
    [fields, { 'fields[date][day]': '2026-01-01' }],
    [fields, { 'fields[content_links][related]': 'a' }],
    [fields, { rank: 5 }],
  ];
  test.each(refused)('reject the values that the API rejects (%#)', (schema, value) => {
    expect(check(schema, value)).not.toEqual([]);
  });
});

describe('the image parameters', () => {
  const parameters = document.paths['/assets/{site}/{asset}/{version}/{name}']?.get.parameters ?? [];
  const described = parameters.flatMap((it) => ('name' in it && it.in === 'query' ? [it] : []));
  const parse = (name: string, value: string) => parseImageParameters([[name, value]], new Map());

  test('match those that the image API supports', () => {
    expect(new Set(described.map(({ name }) => name))).toEqual(IMAGE_PARAMETERS);
    expect(described).toHaveLength(IMAGE_PARAMETERS.size);
  });

  test.each(described)('$name has the same limits and values as in the image API', ({ name, schema }) => {
    const { minimum, maximum, enum: values = [] } = schema;
    for (const value of values) expect(parse(name, String(value)).ok, String(value)).toBe(true);
    if (minimum === undefined || maximum === undefined) return;
    for (const [value, isAllowed] of [
      [minimum, true],
      [maximum, true],
      [Number((minimum - 0.01).toFixed(2)), false],
      [maximum + 1, false],
    ] as const) {
      expect(parse(name, String(value)).ok, String(value)).toBe(isAllowed);
    }
  });
});

describe('the errors', () => {
  test.each(['/api/v1/content', '/api/v1/content/{id}'])('are listed under their status for %s', (path) => {
    const checkResponse = compileResponseCheck(document);
    const expected = [
      'siteInvalid',
      'unauthenticated',
      'siteMissing',
      'siteForbidden',
      'previewForbidden',
      'contentNotFound',
    ];
    const further = ['badRequest', 'methodNotAllowed', 'tooManyRequests', 'serverError', 'serviceUnavailable'];
    for (const name of [...expected, ...further]) {
      const problem = Object.entries(PROBLEMS).find(([key]) => key === name)?.[1];
      expect(checkResponse(path, problem?.status ?? 0, undefined, { message: problem?.message }), name).toEqual([]);
    }
  });
});

describe('the response check', () => {
  const checkResponse = compileResponseCheck(document);
  const headers = {
    etag: '"abc"',
    'cache-control': 'private, no-cache',
    'cache-status': 'galley; hit',
    vary: 'Authorization',
    'x-request-id': '1',
  };

  test('accepts a response that matches the document', () => {
    expect(checkResponse('/api/v1/content/{id}', 200, headers, EXAMPLE_CONTENT)).toEqual([]);
    expect(checkResponse('/api/v1/content', 200, new Headers(headers), EXAMPLE_CONTENT)).toEqual([]);
    expect(checkResponse('/api/v1/content', 304, headers, '')).toEqual([]);
    expect(checkResponse('/livez', 200, undefined, { status: 'ok' })).toEqual([]);
  });

  test('reports an unknown property and a missing one', () => {
    const { language: _, ...rest } = EXAMPLE_CONTENT;
    const faults = checkResponse('/api/v1/content', 200, headers, { ...rest, draft: true });
    expect(faults).toHaveLength(2);
    expect(faults.join('\n')).toMatch(/language.*\n?.*draft/s);
  });

  test('reports only errors for the matching field type', () => {
    const wrong = { ...EXAMPLE_CONTENT.fields.minutes, number: 'six' };
    const faults = checkResponse('/api/v1/content/{id}', 200, headers, {
      ...EXAMPLE_CONTENT,
      fields: { minutes: wrong },
    });
    expect(faults).toEqual([expect.stringContaining('body/fields/minutes/number')]);
  });

  test('rejects whole objects where linked content must be given as ids', () => {
    const fields = { related: EXAMPLE_CONTENT.fields.related };
    const link = { id: 'c_1', published_at: null, name: 'A', slug: 'a', uri: 'a', url: null, fields };
    const related = { ...fields.related, content_links: [{ sort: 1, content_link: link }] };
    expect(
      checkResponse('/api/v1/content/{id}', 200, headers, { ...EXAMPLE_CONTENT, fields: { related } }),
    ).not.toEqual([]);
  });

  test('reports a missing header and a header with an invalid value', () => {
    const faults = checkResponse(
      '/api/v1/content/{id}',
      200,
      { ...headers, etag: 'W/"abc"', vary: undefined },
      EXAMPLE_CONTENT,
    );
    expect(faults).toHaveLength(2);
    expect(faults[0]).toContain('header ETag');
    expect(faults[1]).toBe('header Vary is missing');
  });

  test('checks that an error has one of the messages for its status', () => {
    const retry = { ...headers, 'retry-after': '1' };
    expect(checkResponse('/api/v1/content', 503, retry, { message: 'Service unavailable.' })).toEqual([]);
    expect(checkResponse('/api/v1/content', 503, retry, { message: 'Oops.' })).not.toEqual([]);
    expect(checkResponse('/api/v1/content', 503, retry, { message: 'Service unavailable.', code: 1 })).not.toEqual([]);
  });

  test('rejects undocumented statuses and paths, and a body where none is allowed', () => {
    expect(checkResponse('/api/v1/content', 418, headers, {})).toHaveLength(1);
    expect(checkResponse('/api/v1/assets', 200, headers, {})).toHaveLength(1);
    expect(checkResponse('/api/v1/content', 304, headers, {})).toHaveLength(1);
  });
});

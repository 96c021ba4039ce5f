import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileManagementCheck } from '../../../test/support/management-openapi-check.ts';
import { nameMember, optionalTextMember, orNull, strictMembers } from '../../content/schema-members.ts';
import { parseSeo } from '../../content/seo.ts';
import { defineRoute } from '../route.ts';
import { RESUMABLE_ROUTES } from '../routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from '../routes.ts';
import { buildManagementDocument } from './build-management-document.ts';
import type { Operation } from './management-document.ts';

const document = buildManagementDocument({
  routes: MANAGEMENT_ROUTES,
  resumable: RESUMABLE_ROUTES,
  publicUrl: null,
  version: '1.2.3',
});
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('the document for all routes', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('contains every route and nothing else', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const served = [...MANAGEMENT_ROUTES, ...RESUMABLE_ROUTES].map(({ method, path }) => `${method} /manage/v1${path}`);
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  test('has no broken references and no unused components', () => {
    const wanted = new Set([...JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const { schemas, responses, headers } = document.components;
    const offered = Object.entries({ schemas, responses, headers }).flatMap(([room, parts]) =>
      Object.keys(parts).map((name) => `${room}/${name}`),
    );
    // Some of the refusals are not used by any route yet.
    expect(offered).toEqual(expect.arrayContaining([...wanted]));
    expect(offered.filter((name) => !wanted.has(name) && !name.startsWith('responses/Refusal'))).toEqual([]);
  });

  test('gives each operation a unique name made of a verb and a noun', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  test('uses the verbs get, list and compare for reading, and other verbs for changes', () => {
    const isReading = (id: string): boolean => /^(get|list|compare)[A-Z]/.test(id);
    const wrong = operations.filter(
      ({ method, operation }) => /^(get|head)$/.test(method) !== isReading(operation.operationId),
    );
    expect(wrong.map(({ operation }) => operation.operationId)).toEqual([]);
    const methods = operations.filter(({ operation }) => /^(post|put|patch)[A-Z]/.test(operation.operationId));
    expect(methods.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test('says what each operation does, which group it belongs to and how to authenticate', () => {
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
      expect(operation.security).toContainEqual({ token: [] });
    }
  });

  test('describes each group and each path parameter', () => {
    expect(document.tags.filter(({ description }) => description === undefined)).toEqual([]);
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    const nameless = parameters.filter((it) => it.in === 'path' && it.description === undefined);
    expect(nameless.map(({ name }) => name)).toEqual([]);
  });

  test('allows no additional properties in responses', () => {
    const open = Object.entries(document.components.schemas).filter(
      ([, schema]) =>
        schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties !== false,
    );
    expect(open.map(([name]) => name)).toEqual([]);
  });

  test.each(['post /manage/v1/sites/{site}/content', 'put /manage/v1/sites/{site}/content/{content}'])(
    'contains valid examples of fields and seo in %s',
    (name) => {
      const found = operations.find(({ path, method }) => `${method} ${path}` === name);
      const members = found?.operation.requestBody?.content['application/json']?.schema.properties;
      const { fields, seo } = Object(members);
      expect([fields.type, seo.type]).toEqual(['object', ['object', 'null']]);
      expect(parseSeo(seo.examples[0])).toMatchObject({ ok: true, value: seo.examples[0] });
      expect(fields.examples).toEqual([{ title: { text: 'Hello' } }]);
    },
  );

  test('describes the headers of resumable uploads', () => {
    const found = document.paths['/manage/v1/sites/{site}/uploads/{upload}'];
    const headers = found?.patch?.parameters?.filter((it) => it.in === 'header').map(({ name }) => name);
    expect(headers).toEqual(['Tus-Resumable', 'Upload-Offset']);
    expect(Object.keys(found?.patch?.requestBody?.content ?? {})).toEqual(['application/offset+octet-stream']);
    const answers = Object.values(found?.head?.responses ?? {});
    expect(answers.length).toBeGreaterThan(5);
    expect(answers.filter((answer) => '$ref' in answer || answer.content !== undefined)).toEqual([]);
  });

  test('lists the public URL as its server', () => {
    const options = { routes: MANAGEMENT_ROUTES, version: '1.2.3' };
    const { servers } = buildManagementDocument({ ...options, publicUrl: 'https://cms.example.org/root/' });
    expect([servers[0]?.url, document.servers[0]?.url]).toEqual(['https://cms.example.org/root', '/']);
  });
});

describe('the document for a route', () => {
  const thing = z.strictObject({ id: z.string(), note: z.string().nullable() }).meta({ id: 'Thing' });
  const route = defineRoute({
    operationId: 'changeThing',
    method: 'POST',
    path: '/things/{thing}',
    who: 'owner',
    tag: 'Things',
    summary: 'Change a thing',
    description: 'It changes.',
    query: z.strictObject({ limit: z.string().optional(), force: z.enum(['true', 'false']) }),
    body: strictMembers('a thing', { name: nameMember, note: optionalTextMember, other: orNull(nameMember) }),
    status: 201,
    answer: z.strictObject({ data: z.array(thing) }),
    refusals: [409, 429],
    run: async () => ({ data: [] }),
  });
  const single = buildManagementDocument({ routes: [route], publicUrl: null, version: '1.2.3' });
  const operation: Operation | undefined = single.paths['/manage/v1/things/{thing}']?.post;

  test('lists its path and query parameters', () => {
    const parameters = operation?.parameters?.map(({ name, in: place, required }) => [name, place, required]);
    expect(parameters).toEqual([
      ['thing', 'path', true],
      ['limit', 'query', false],
      ['force', 'query', true],
      ['Idempotency-Key', 'header', false],
    ]);
  });

  test('describes the request body, with the rule for each property', () => {
    const { required, content } = operation?.requestBody ?? {};
    const schema = content?.['application/json']?.schema;
    expect([required, schema?.required, schema?.additionalProperties]).toEqual([true, ['name'], false]);
    expect(schema?.properties?.name).toMatchObject({ type: 'string', description: expect.stringMatching(/^Must be /) });
    expect(JSON.stringify(schema?.properties?.other)).toContain('null');
  });

  test('turns schemas with an id into components', () => {
    expect(single.components.schemas.Thing).toMatchObject({ required: ['id', 'note'], additionalProperties: false });
    expect(JSON.stringify(operation?.responses[201])).toContain('#/components/schemas/Thing"');
  });

  test('lists every refusal that the route can return', () => {
    const statuses = Object.keys(operation?.responses ?? {}).map(Number);
    expect(statuses).toEqual([201, 400, 401, 403, 404, 409, 413, 415, 421, 422, 429, 500, 503, 507]);
  });

  test('distinguishes request and response schemas with the same name', () => {
    const both = z
      .strictObject({
        id: z
          .string()
          .optional()
          .transform((id) => id ?? ''),
      })
      .meta({ id: 'Both' });
    const twoWay = defineRoute({ ...route, body: both, answer: both, run: async () => ({ id: '' }) });
    const { components } = buildManagementDocument({ routes: [twoWay], publicUrl: null, version: '1.2.3' });
    expect(Object.keys(components.schemas)).toEqual(['Fault', 'Both', 'BothInput', 'Error']);
  });

  test('does not require a body if every property is optional', () => {
    const lenient = defineRoute({ ...route, body: strictMembers('a thing', { note: optionalTextMember }) });
    const { paths } = buildManagementDocument({ routes: [lenient], publicUrl: null, version: '1.2.3' });
    expect(paths['/manage/v1/things/{thing}']?.post?.requestBody?.required).toBe(false);
  });

  describe('the check', () => {
    const check = compileManagementCheck(single);
    const headers = new Headers({
      'x-request-id': '1',
      ratelimit: '"tries";r=1;t=2',
      'ratelimit-policy': '"tries";q=3;w=4',
    });
    const path = '/manage/v1/things/t_1?force=true';
    const ok = { data: [{ id: 'a', note: null }] };

    const FAULT = { path: 'a', message: 'b', code: 'too_long', values: { max: 1 } };

    test.each([
      ['nothing in a valid response', 201, ok, 0],
      ['an additional property', 201, { data: [{ id: 'a', note: null, secret: 1 }] }, 1],
      ['a missing property', 201, { data: [{ id: 'a' }] }, 1],
      ['a missing body', 201, undefined, 1],
      ['an undocumented status', 200, ok, 1],
      ['nothing in a refusal', 409, { message: 'No.', code: 'conflict', errors: [FAULT], details: { by: 'c' } }, 0],
      ['an unknown code', 409, { message: 'No.', code: 'nonsense' }, 1],
      ['a refusal with the wrong shape', 409, { error: 'No.' }, 2],
      ['a missing header', 429, { message: 'No.' }, 1],
      ['an undocumented status, even with a plain error message', 405, { message: 'No.' }, 1],
      ['nothing in a refusal from the HTTP layer', 414, { message: 'URI too long.' }, 0],
    ])('finds %s', (_, status, body, count) => {
      expect(check('POST', path, { status, headers, body })).toHaveLength(count);
    });

    test('detects an error response with the wrong shape on an unknown path', () => {
      expect(check('GET', '/manage/v1/nothing', { status: 404, headers, body: { message: 'Not found.' } })).toEqual([]);
      expect(check('GET', '/manage/v1/nothing', { status: 404, headers, body: { error: 1 } })).not.toEqual([]);
    });
  });
});

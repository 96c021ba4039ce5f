// Runs the examples in docs/api.md against a service with the demo magazine and compares the responses with the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { findDifference } from './shortened-json.ts';

interface Example {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: unknown;
}

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8');
const MAGAZINE = join(import.meta.dirname, '../../demo/magazine.ndjson');
const EXAMPLE = /```http\nGET (\S+)\n((?:\S+: .*\n)*)```\n\n```json ?(\d*)\n([^`]*)```/g;

const examples = [...PAGE.matchAll(EXAMPLE)].map(([, target = '', headers = '', status = '', body = '']): Example => {
  const pairs = headers.split('\n').filter(Boolean);
  return {
    target,
    headers: Object.fromEntries(pairs.map((pair) => pair.split(': '))),
    status: status === '' ? 200 : Number(status),
    body: JSON.parse(body),
  };
});

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService({ GALLEY_PUBLIC_URL: 'http://127.0.0.1:3000' });
  await service.importBundle(MAGAZINE);
  token = (await service.createKey({ sites: ['s_demo'], preview: true })).token;
});

afterAll(() => service.close());

test('every request on the page has a response next to it', () => {
  expect(examples).toHaveLength(PAGE.match(/^```http$/gm)?.length ?? 0);
  expect(examples.length).toBeGreaterThan(10);
});

test.each(examples)('$target returns the response shown on the page', async ({ target, headers, status, body }) => {
  const response = await fetch(`${service.url}${target}`, {
    headers: { authorization: `Bearer ${token}`, 'x-service-site': 's_demo', ...headers },
  });
  expect(response.status).toBe(status);
  expect(findDifference(body, await response.json())).toBeUndefined();
});

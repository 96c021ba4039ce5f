// Stored text whose bytes have been altered, by a failing disk or by hand, is never served.

import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseUrl } from '../../src/settings.ts';
import { exchange, LIST_PATH, type Reply } from '../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../conformance/records.ts';
import { runGalley } from '../support/galley-command.ts';
import { startService, type TestService } from '../support/service.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

const COUNT = 60;
const DAMAGED = Array.from({ length: COUNT }, (_, index) => `c_${index}`);
const RECORDS = [
  site(PRESS),
  contentType(PRESS, 'note', [
    { handle: 'line', type: 'text' },
    { handle: 'related', type: 'content_links' },
  ]),
  ...DAMAGED.map((id) => content({ id, fields: { line: { text: `Naïve text of ${id}. `.repeat(20) } } })),
  content({ id: 'c_whole', fields: { line: { text: 'Nobody touched this.' } } }),
  content({ id: 'c_linking', fields: { related: { content_links: ['c_whole', 'c_7'] } } }),
];

let database: TestDatabase;
let service: TestService;
let token: string;
let before: Reply;
const logged: string[] = [];

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    service = await serve();
    await service.importRecords(RECORDS);
    ({ token } = await service.createKey({ sites: [PRESS], preview: true }));
    before = await read('/c_whole');
    await service.close();
    await (database.url.engine === 'sqlite' ? alterFile(database.url.path) : alterRows(database.url.url));
    service = await serve();
  });

  afterAll(async () => {
    await service.close();
    await database.remove();
  });

  describe('with altered stored text', () => {
    test('no damaged object is served; each request returns 500, and one log line names the object', async () => {
      for (const id of DAMAGED) {
        logged.length = 0;
        expect(await statusAndText(`/${id}`)).toEqual([500, '{"message":"Server error."}']);
        expect(logged).toHaveLength(1);
        expect(JSON.parse(logged[0] ?? '')).toMatchObject({
          level: 50,
          content: id,
          msg: `The stored text of content ${id} is damaged: it does not match its digest.`,
        });
      }
    });

    test('every request for a damaged object is rejected, even in previews', async () => {
      expect((await read('/c_3')).status).toBe(500);
      expect((await read('/c_3', { 'x-service-preview': 'true' })).status).toBe(500);
    });

    test.each<[string, string, Readonly<Record<string, string>>?]>([
      ['a list with a damaged object', '?limit=100'],
      ['a numbered page with a damaged object', '?page=1', { 'x-service-simple-pagination': 'true' }],
      ['a list of one damaged object', '?slug=5'],
      ['content that links to a damaged object', '/c_linking'],
    ])('%s returns 500', async (_, target, headers = {}) => {
      expect((await read(target, headers)).status).toBe(500);
    });

    test('unaltered content is served as before', async () => {
      const after = await read('/c_whole');
      expect([after.status, after.text, after.headers.etag]).toEqual([200, before.text, before.headers.etag]);
      expect((await read('?slug=whole')).text).toBe(before.text);
    });

    test('galley doctor names the damaged objects, says what to do, and exits with status 1', async () => {
      const GALLEY_DATABASE_URL = formatUrl(database.url);
      const { status, stdout } = await runGalley(['doctor', '--json'], { cwd: tmpdir(), env: { GALLEY_DATABASE_URL } });
      const { checks }: { checks: { name: string; status: string; message: string; advice: string }[] } =
        JSON.parse(stdout);
      expect(status).toBe(1);
      expect(checks.find(({ name }) => name === 'stored text')).toMatchObject({
        status: 'problem',
        message: expect.stringMatching(/^60 published objects damaged: c_0, c_1, .* and 40 more$/),
        advice: expect.stringContaining('Restore the newest backup that passes the checks.'),
      });
    });
  });
});

function serve(): Promise<TestService> {
  const log = pino({ level: 'error' }, { write: (line) => logged.push(line) });
  return startService({}, { createDatabase: async () => ({ url: database.url, remove: async () => {} }), log });
}

function read(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const access = { authorization: `Bearer ${token}`, 'x-service-site': PRESS };
  return exchange(service.url, 'GET', `${LIST_PATH}${target}`, { ...access, ...headers });
}

async function statusAndText(target: string): Promise<readonly [number, string]> {
  const { status, text } = await read(target);
  return [status, text];
}

function formatUrl(url: DatabaseUrl): string {
  return url.engine === 'sqlite' ? `sqlite:${url.path}` : url.url;
}

/** Flips one bit of each stored text value, anywhere in the file. */
async function alterFile(path: string): Promise<void> {
  const stored = new DatabaseSync(path);
  const bodies = stored.prepare('select id, body from published_contents join published_bodies using (content_no)');
  const texts = bodies.all().map(({ id, body }) => ({ id: String(id), bytes: Buffer.from(String(body)) }));
  stored.close();
  const file = await readFile(path);
  for (const { id, bytes } of texts) {
    if (!DAMAGED.includes(id)) continue;
    const start = file.indexOf(bytes);
    expect(start).toBeGreaterThan(0);
    const place = start + randomInt(bytes.length);
    file[place] = (file[place] ?? 0) ^ (1 << randomInt(8));
  }
  await writeFile(path, file);
}

/** Changes one character of each stored text value. */
async function alterRows(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(
    `update published_bodies b set body = overlay(body placing '~' from 1 + floor(random() * length(body))::int for 1)
      from published_contents p where p.content_no = b.content_no and p.id = any($1)`,
    [DAMAGED],
  );
  await client.end();
}

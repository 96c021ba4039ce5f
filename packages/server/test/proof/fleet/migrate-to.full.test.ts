// Uses the real command to move a whole installation from SQLite to PostgreSQL while the installation is serving requests. Readers and
// editors must get byte-identical responses from both databases.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectSite } from '../../../src/storage/sites/select-catalog.ts';
import { selectWebhook } from '../../../src/storage/webhooks/webhooks.ts';
import { runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { drawListRequest, drawObjectRequest } from '../../oracle/random-request.ts';
import { drawBundle, type RandomSite } from '../../oracle/random-site.ts';
import { get, urlOf } from '../../oracle/service-call.ts';
import {
  BASE,
  type GrownInstallation,
  growInstallation,
  SIGN_IN,
  serveDatabase,
} from '../../postgres/grown-installation.ts';
import { dumpDatabase } from '../../support/dump-database.ts';
import { runForJson } from '../../support/galley-command.ts';
import type { TestService } from '../../support/service.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/test-database.ts';

const OBJECTS = proofSize(300, 10_000);
const REQUESTS = proofSize(100, 1000);
const COMPARED_HEADERS = ['etag', 'link', 'content-type', 'content-length', 'cache-control', 'vary'];
const SORTS = [
  '',
  'name',
  'slug:desc',
  'published_at',
  'updated_at:desc',
  'reading_time.number',
  'standfirst.text:desc',
];
const FILTERS = ['', 'content_type=article', 'author=u_maud', 'fields[is_on][is_featured]=true', 'slug=more-7'];

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Summary {
  readonly rows: number;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly sha256: string }[];
  readonly [name: string]: unknown;
}

describe('an installation that moves to PostgreSQL', () => {
  const resources = new AsyncDisposableStack();
  let random: RandomSite;
  let before: GrownInstallation;
  let target: PostgresDatabase;
  let after: TestService;
  let summary: Summary;

  beforeAll(async () => {
    await runSeeded(seeds(1)[0] ?? 0, async (draw) => {
      const bundle = drawBundle(draw, 'm');
      [random] = bundle.sites as readonly [RandomSite];
      before = resources.use(await growInstallation(OBJECTS, bundle.records));
    });
    target = await createPostgresDatabase();
    resources.defer(() => target.remove());
    const options = { cwd: before.folder };
    const started = performance.now();
    summary = (await runForJson(['migrate-to', target.url.url], options)) as Summary;
    reportProof(`migrate-to: ${summary.rows} rows in ${Math.round(performance.now() - started)} ms`);
    after = await serveDatabase(target.url);
    resources.defer(() => after.close());
  });

  afterAll(() => resources.disposeAsync());

  /** The responses from both services, without the parts that identify the service. */
  async function ask({ url }: TestService, asked: Asked, token = before.keys.preview) {
    const { status, text, headers, links } = await get(asked.url.replace(BASE, url), token, asked.headers);
    const compared = COMPARED_HEADERS.map((name) => `${name}: ${headers.get(name)}`);
    return { answer: [asked.url, JSON.stringify(asked.headers), String(status), ...compared, text], status, links };
  }

  async function expectSame(asked: Asked, token?: string) {
    const expected = await ask(before.service, asked, token);
    const got = await ask(after, asked, token);
    expect(got.answer).toEqual(expected.answer);
    return expected;
  }

  test('is copied row by row, except for sessions and leases', () => {
    const dumped = dumpDatabase(before.databasePath);
    const { schema_versions: _versions, sessions: _sessions, leases: _leases, ...tables } = dumped;
    expect(Object.fromEntries(summary.tables.map(({ table, rows }) => [table, rows]))).toEqual(
      Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length])),
    );
    for (const { sha256 } of summary.tables) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(summary).toMatchObject({ dry_run: false, found_rows: 0, edited_since: false });
    expect(summary.left_behind).toEqual(['sessions', 'leases']);
    expect(JSON.stringify(summary)).not.toContain(new URL(target.url.url).password);
  });

  test('keeps its webhooks and their calls', async () => {
    const read = async ({ url }: TestService, path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${before.managementToken}` };
      return (await fetch(`${url}/manage/v1/sites/s_demo/webhooks${path}`, { headers })).json();
    };
    const { webhookId, secret } = before;
    for (const path of ['', `/${webhookId}/calls`]) {
      const kept = await read(before.service, path);
      expect(kept).toMatchObject({ data: [{}] });
      expect(await read(after, path)).toEqual(kept);
    }
    const { no: siteNo = 0 } = (await after.storage.read(selectSite('s_demo'))) ?? {};
    expect(await after.storage.read(selectWebhook(siteNo, webhookId))).toMatchObject({
      secret,
      headers: { 'x-key': 'numbat' },
    });
  });

  test('keeps its preview settings and share links', async () => {
    const read = async ({ url }: TestService): Promise<unknown> => {
      const headers = { authorization: `Bearer ${before.managementToken}` };
      return (await fetch(`${url}/manage/v1/sites/s_demo/preview`, { headers })).json();
    };
    expect(await read(before.service)).toMatchObject({ addresses: [{}], secret: expect.stringMatching(/^gps_/) });
    expect(await read(after)).toEqual(await read(before.service));
    const asked = { url: `${BASE}/api/v1/content/c_glue`, headers: { 'x-service-site': 's_demo' } };
    expect((await expectSame(asked, before.shareToken)).status).toBe(200);
  });

  test(`returns byte-identical responses to ${REQUESTS} requests`, async () => {
    const counted = { requests: 0, bytes: 0, statuses: new Set<number>() };
    await runSeeded(seeds(1)[0] ?? 0, async (draw) => {
      for (let count = 0; counted.requests < REQUESTS; count++) {
        const drawn = count % 3 === 0 ? drawObjectRequest(draw, random, ['c_more_1']) : drawListRequest(draw, random);
        const { path, query, headers } = drawn;
        const asked = count % 2 === 0 ? listDemo(count) : { url: urlOf(BASE, path, query), headers };
        // Each service accepts the other's cursors.
        for (let url: string | undefined = asked.url, page = 0; url !== undefined && page < 3; page++) {
          const { answer, status, links } = await expectSame({ ...asked, url });
          counted.requests += 1;
          counted.bytes += Buffer.byteLength(answer.at(-1) ?? '');
          counted.statuses.add(status);
          url = links.next;
        }
      }
    });
    expect(counted.statuses).toContain(200);
    reportProof(`migrate-to: ${counted.requests} responses with ${counted.bytes} bytes before and after, identical`);
  });

  /** Sorts, filters, languages, modes, previews and single objects from the demo site, in turn. */
  function listDemo(count: number): Asked {
    const turn = count / 2;
    const headers = {
      'x-service-site': 's_demo',
      ...(turn % 3 === 1 && { 'x-service-language': 'fr' }),
      ...(turn % 4 === 1 && { 'x-service-simple-pagination': 'true' }),
      ...(turn % 5 === 1 && { 'x-service-preview': 'true' }),
    };
    if (turn % 6 === 5) return { url: `${BASE}/api/v1/content/c_more_${(turn * 31) % OBJECTS}`, headers };
    const sort = SORTS[turn % SORTS.length] ?? '';
    const filter = FILTERS[turn % FILTERS.length] ?? '';
    const query = [sort && `sort=${sort}`, filter, `limit=${1 + ((turn * 7) % 40)}`].filter((part) => part !== '');
    return { url: urlOf(BASE, '/api/v1/content', query.join('&')), headers };
  }

  test('accepts and rejects the same keys', async () => {
    const url = `${BASE}/api/v1/content?limit=1`;
    const onDemo = { url, headers: { 'x-service-site': 's_demo' } };
    const onRandom = { url, headers: { 'x-service-site': random.site.id } };
    const { preview, demoOnly, revoked } = before.keys;
    const statuses = [];
    for (const [asked, token] of [
      [onDemo, preview],
      [onRandom, preview],
      [onDemo, demoOnly],
      [onRandom, demoOnly],
      [onDemo, revoked],
    ] as const) {
      statuses.push((await expectSame(asked, token)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 403, 401]);
  });

  test('shows editors the same content, versions, users, keys and audit log', async () => {
    const paths = [
      '/sites',
      '/sites/s_demo/types',
      '/sites/s_demo/authors',
      '/sites/s_demo/assets',
      '/sites/s_demo/content?limit=100',
      '/sites/s_demo/content?limit=100&sort=name:asc',
      '/sites/s_demo/content/c_ink_black',
      '/sites/s_demo/content/c_ink_black/versions',
      '/sites/s_demo/content/c_ink_black/links',
      '/users',
      '/keys',
      '/tokens',
      '/audit',
    ];
    for (const path of paths) {
      const [expected, got] = await Promise.all(
        [before.service, after].map(async ({ url }) => {
          const headers = { authorization: `Bearer ${before.managementToken}` };
          const response = await fetch(`${url}/manage/v1${path}`, { headers });
          return [path, response.status, withoutUse(await response.text())];
        }),
      );
      expect(got).toEqual(expected);
      expect(got?.[1]).toBe(200);
    }
  });

  /** Each service records the last use of a key or token separately. */
  function withoutUse(text: string): string {
    return text.replaceAll(/"last_used_at":("[^"]*"|null)/g, '"last_used_at":…');
  }

  test('keeps pending and failed schedules', async () => {
    const headers = { authorization: `Bearer ${before.managementToken}` };
    const read = async ({ url }: TestService, id: string): Promise<unknown> =>
      (await fetch(`${url}/manage/v1/sites/s_demo/content/${id}`, { headers })).json();
    expect(await read(after, 'c_centenary')).toMatchObject({ publish_at: '2035-03-01T08:00:00+00:00' });
    const failed = await read(after, 'c_lacking');
    expect(failed).toMatchObject({ failed_schedule: { action: 'publish', due_at: '2025-01-01T00:00:00+00:00' } });
    expect(failed).toEqual(await read(before.service, 'c_lacking'));
  });

  test('lets users sign in with the same password', async () => {
    for (const [password, status] of [
      [SIGN_IN.password, 200],
      ['not the password', 401],
    ] as const) {
      const response = await fetch(`${after.url}/manage/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...SIGN_IN, password }),
      });
      expect(response.status).toBe(status);
    }
  });

  test('keeps working: new content, sites and keys get unused row numbers, and readers see them', async () => {
    const { token } = await after.createKey({ sites: ['s_demo'] });
    await after.importRecords([
      { kind: 'site', id: 's_new', name: 'New', default_language: 'en', languages: ['en'] },
      { kind: 'author', id: 'u_new', site: 's_demo', name: 'New', email: null, profile_photo_url: null },
      {
        ...{ kind: 'content', id: 'c_new', site: 's_demo', content_type: 'page', author: 'u_new', language: 'en' },
        ...{ slug: 'new', name: 'New', status: 'published', published_at: '2026-01-01T00:00:00+00:00' },
        fields: { intro: { text: 'New' }, body: { text: 'New' } },
      },
    ]);
    const asked = { url: `${BASE}/api/v1/content/c_new`, headers: { 'x-service-site': 's_demo' } };
    expect(await ask(after, asked, token)).toMatchObject({ status: 200 });
  });
});

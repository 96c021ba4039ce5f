// Responses with published content never contain unpublished content or content from another site.

import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CursorKey, digestKeys } from '../../../src/listing/cursor.ts';
import { leakedMarkers } from '../../oracle/leak-watch.ts';
import { walkByCursor, walkByPage } from '../../oracle/list-walk.ts';
import type { Pair } from '../../oracle/naive-query.ts';
import { naiveService } from '../../oracle/naive-service.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { compareBodies, isObject } from '../../oracle/same-body.ts';
import { buildSecretSite, markersIn } from '../../oracle/secret-site.ts';
import { type Answer, get } from '../../oracle/service-call.ts';
import { startService, type TestService } from '../../support/service.ts';
import { ENGINES } from '../../support/test-database.ts';

const secrets = buildSecretSite('leak');
const UNKNOWN = 'c_leak_unknown';
const READERS = [{}, { 'x-service-language': 'en' }, { 'x-service-language': 'fr' }];
const MODES = [{}, { 'x-service-simple-pagination': 'true' }];
const ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri', 'title.text', 'body.text'];

/** Forges a cursor with the installation's secret. A digest identifies the cursor's position in name order. */
function craftDistantCursor({ storage }: TestService, audience: string, id: string, name: string): string {
  const content = ['n>d', id, digestKeys([name])].join('\0');
  const seal = new CursorKey(storage.deriveKey('cursors')).sign(`${secrets.site}\0${audience}\0name:asc\0`, content);
  return Buffer.concat([Buffer.from(seal, 'latin1'), Buffer.from(content)]).toString('base64url');
}

describe.each(ENGINES)('on %s', (engine) => {
  /** Every value goes through SQLite. The other engine takes a share of them, because same-answers.full.test.ts compares the two. */
  const every = engine === 'sqlite' ? 1 : proofSize(4, 1);
  const someOf = <Value>(values: readonly Value[]): readonly Value[] =>
    values.filter((_, index) => index % every === 0);

  describe('hidden content', () => {
    let service: TestService;
    let token: string;
    let previewToken: string;
    let asked = 0;

    beforeAll(async () => {
      service = await startService({}, { engine });
      await service.importRecords(secrets.records);
      token = (await service.createKey({ sites: [secrets.site] })).token;
      previewToken = (await service.createKey({ allSites: true, preview: true })).token;
    });

    afterAll(async () => {
      await service.close();
      reportProof(`leaks on ${engine}: ${asked} responses searched for ${secrets.markers.length} hidden texts`);
    });

    /** Sends requests as a reader of published content and searches the responses for anything hidden. */
    async function ask(path: string, headers: Readonly<Record<string, string>> = {}, key = token): Promise<Answer> {
      const url = path.startsWith('http') ? path : `${service.url}/api/v1/content${path}`;
      const answer = await get(url, key, { 'x-service-site': secrets.site, ...headers });
      asked += 1;
      expect(leakedMarkers(url, answer), `${path} ${JSON.stringify(headers)}`).toEqual([]);
      return answer;
    }

    async function askEverywhere(query: Pair[]): Promise<readonly Answer[]> {
      const answers = READERS.flatMap((reader) =>
        MODES.map((mode) => ask(`?${encode(query)}`, { ...reader, ...mode })),
      );
      return Promise.all(answers);
    }

    test('appears in previews, which shows that these tests can fail', async () => {
      const headers = { 'x-service-site': secrets.site, 'x-service-preview': 'true' };
      const { text } = await get(`${service.url}/api/v1/content?limit=100`, previewToken, headers);
      expect(markersIn(text).length).toBeGreaterThan(50);
    });

    test('does not appear in any list, in any order, mode or language, and does not change the position of visible content', async () => {
      const oracle = naiveService(secrets.records);
      const comparison = compareBodies();
      for (const attribute of someOf(ATTRIBUTES)) {
        for (const direction of ['asc', 'desc']) {
          for (const headers of READERS.flatMap((reader) => MODES.map((mode) => ({ ...reader, ...mode })))) {
            const pairs: Pair[] = [
              ['sort', `${attribute}:${direction}`],
              ['limit', '3'],
              ['fallback_default_language', 'true'],
            ];
            const list = oracle.answer({
              path: '/api/v1/content',
              pairs,
              headers: { 'x-service-site': secrets.site, ...headers },
              key: { sites: [secrets.site], mayPreview: false },
            });
            if (list.kind !== 'list') throw new Error('the oracle rejects the request');
            const path = `${service.url}/api/v1/content`;
            const url = `${path}?${encode(pairs)}`;
            const walked = {
              list,
              address: { path, pairs },
              url,
              comparison,
              get: (each: string) => ask(each, headers),
            };
            await (list.mode === 'simple' ? walkByPage(walked) : walkByCursor(walked));
          }
        }
      }
    });

    test('cannot be fetched by ID in any language', async () => {
      for (const id of secrets.hiddenIds) {
        for (const reader of READERS) {
          for (const query of ['', '?fallback_default_language=true', '?cursor=x&limit=1']) {
            const answer = await ask(`/${id}${query}`, reader);
            expect([answer.status, answer.text]).toEqual([404, '{"message":"Content not found."}']);
          }
        }
      }
      for (const id of secrets.visibleIds) await ask(`/${id}`);
    });

    test('is not matched by filters on its values', async () => {
      const parameters = [
        'slug',
        'author',
        'content_type',
        'content_type_id',
        'fields[text][title]',
        'fields[text][body]',
        'fields[selected_option][colour]',
        'fields[content_links][related][slug]',
        'fields[content_links][related][id]',
      ];
      const values = someOf([...secrets.markers, ...secrets.hiddenIds]);
      for (const value of values) {
        const answers = await Promise.all(parameters.map((parameter) => ask(`?${encode([[parameter, value]])}`)));
        for (const answer of answers) expect([answer.status, objectsOf(answer)], value).toEqual([200, []]);
      }
      for (const value of values.slice(0, 40 / every)) {
        const answers = await askEverywhere([
          ['slug[]', value],
          ['slug[]', 'open-0'],
          ['match', 'any'],
        ]);
        for (const answer of answers) expect(objectsOf(answer).length).toBeLessThanOrEqual(1);
      }
    });

    test('cannot be detected with handles that exist only on the other site', async () => {
      for (const pair of [
        ['sort', 'HANDLE.text:asc'],
        ['fields[text][HANDLE]', 'x'],
      ] as const) {
        const [elsewhere, nowhere] = await Promise.all(
          ['elsewhere', 'nowhereat'].map((handle) =>
            ask(`?${encode([[pair[0].replace('HANDLE', handle), pair[1].replace('HANDLE', handle)]])}`),
          ),
        );
        expect(elsewhere?.status).toBe(422);
        expect(elsewhere?.text.replaceAll('elsewhere', 'nowhereat')).toBe(nowhere?.text);
      }
    });

    test('cannot be read with cursors from previews or the other site, or with made-up cursors', async () => {
      const sorts = someOf(ATTRIBUTES).map((attribute) => `${attribute}:asc`);
      for (const sort of sorts) {
        const cursors = await Promise.all([
          ...[secrets.site, secrets.foreignSite].map((site) => previewCursors(site, sort)),
          [
            'x',
            '0',
            '-',
            'null',
            'e30',
            'eyJhIjoxfQ',
            'A'.repeat(1024),
            'A'.repeat(5000),
            '%00',
            '../..',
            "' or 1=1 --",
          ],
        ]);
        for (const cursor of cursors.flat()) {
          const answer = await ask(
            `?${encode([
              ['sort', sort],
              ['limit', '3'],
              ['cursor', cursor],
            ])}`,
          );
          expect([200, 422]).toContain(answer.status);
        }
      }
    });

    test('cannot be detected with a made-up cursor for a draft whose position has changed', async () => {
      const long = 'a long name '.repeat(20);
      const draft = (name: string) => ({
        kind: 'content',
        id: 'c_moving_draft',
        site: secrets.site,
        content_type: 'post',
        language: 'en',
        slug: 'moving-draft',
        name,
        status: 'draft',
        uri: `${'u'.repeat(300)}/moving`,
      });
      await service.importRecords([draft(`${long}one`)]);
      await service.importRecords([draft(`${long}two`)]);
      const craft = (audience: string, id: string) => craftDistantCursor(service, audience, id, `${long}one`);
      const answers = await Promise.all(
        ['c_moving_draft', 'c_nothing'].map((id) => ask(`?sort=name:asc&cursor=${craft('public', id)}`)),
      );
      const preview = { 'x-service-site': secrets.site, 'x-service-preview': 'true' };
      const url = `${service.url}/api/v1/content?sort=name:asc&cursor=${craft('preview', 'c_moving_draft')}`;
      expect((await get(url, previewToken, preview)).status).toBe(200);
      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [422, '{"message":"The cursor is invalid."}'],
        [422, '{"message":"The cursor is invalid."}'],
      ]);
    });

    async function previewCursors(site: string, sort: string): Promise<readonly string[]> {
      const cursors: string[] = [];
      let url: string | undefined = `${service.url}/api/v1/content?${encode([
        ['sort', sort],
        ['limit', '1'],
      ])}`;
      while (url !== undefined) {
        const answer: Answer = await get(url, previewToken, { 'x-service-site': site, 'x-service-preview': 'true' });
        url = answer.links.next;
        const cursor = url === undefined ? null : new URL(url).searchParams.get('cursor');
        if (cursor !== null)
          cursors.push(cursor, cursor.slice(0, -1), `${cursor}A`, cursor.split('').toReversed().join(''));
      }
      return cursors;
    }

    test('is indistinguishable from content that never existed: status, headers and body are byte-identical', async () => {
      for (const method of ['GET', 'HEAD']) {
        for (const reader of READERS) {
          const unknown = await rawAnswer(method, UNKNOWN, reader);
          expect(unknown[0]).toBe(404);
          for (const id of secrets.hiddenIds) {
            const hidden = await rawAnswer(method, id, reader);
            expect(hidden, `${method} ${id}`).toEqual(unknown);
          }
        }
      }
    });

    function rawAnswer(
      method: string,
      id: string,
      headers: Readonly<Record<string, string>>,
    ): Promise<readonly unknown[]> {
      return new Promise((resolve, reject) => {
        const options = {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'x-service-site': secrets.site,
            'accept-encoding': 'gzip, br',
            ...headers,
          },
        };
        const sent = httpRequest(`${service.url}/api/v1/content/${id}`, options, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const { statusCode, rawHeaders } = response;
            const names = rawHeaders.filter((_, index) => index % 2 === 0);
            const compared = names
              .map((name, index) => `${name}: ${rawHeaders[index * 2 + 1]}`)
              .filter((line) => !/^(date|(x-)?request-id):/i.test(line));
            resolve([statusCode, compared, Buffer.concat(chunks).toString('latin1')]);
          });
        });
        sent.on('error', reject);
        sent.end();
      });
    }

    test('requires the right key: a key for one site grants no access to another', async () => {
      for (const path of ['', '?limit=1', ...[...secrets.visibleIds, ...secrets.hiddenIds].map((id) => `/${id}`)]) {
        const foreign = await ask(path, { 'x-service-site': secrets.foreignSite });
        expect([foreign.status, foreign.body]).toEqual([
          403,
          { message: 'You are not permitted to access this Site.' },
        ]);
        const preview = await ask(path, { 'x-service-preview': 'true' });
        expect([preview.status, preview.body]).toEqual([403, { message: 'This API key may not read previews.' }]);
        const nowhere = await ask(path, { 'x-service-site': 's_leak_unknown' });
        expect([nowhere.status, nowhere.body]).toEqual([400, { message: 'Invalid Site ID.' }]);
      }
    });

    test('is not shown for a key with preview permission unless the request is for a preview', async () => {
      for (const preview of ['false', '0', 'no', '']) {
        for (const path of ['?limit=100', '?sort=name', ...secrets.visibleIds.map((id) => `/${id}`)]) {
          await ask(path, { 'x-service-preview': preview }, previewToken);
        }
      }
    });

    test('does not leak from the cache after a preview', async () => {
      for (const path of ['?limit=100', ...secrets.visibleIds.map((id) => `/${id}`)]) {
        const headers = { 'x-service-site': secrets.site, 'x-service-preview': 'true' };
        const preview = await get(`${service.url}/api/v1/content${path}`, previewToken, headers);
        expect(markersIn(preview.text)).not.toEqual([]);
        await ask(path);
      }
    });

    test('disappears from objects, lists and links as soon as it is unpublished', async () => {
      const id = 'c_leak_five';
      for (let round = 0; round < 3; round++) {
        const paths = [
          '?limit=100',
          '?sort=name&limit=100',
          ...secrets.visibleIds.filter((each) => each !== id).map((each) => `/${each}`),
        ];
        for (const path of paths) expect((await ask(path)).text).toContain(id);
        expect((await ask(`/${id}`)).status).toBe(200);
        await service.unpublish(secrets.site, id);
        for (const path of paths) expect((await ask(path)).text).not.toContain(id);
        expect(await rawAnswer('GET', id, {})).toEqual(await rawAnswer('GET', UNKNOWN, {}));
        await service.publish(secrets.site, id);
      }
    });
  });
});

function encode(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

function objectsOf({ body }: Answer): readonly unknown[] {
  if (!isObject(body) || 'message' in body) return [];
  return Array.isArray(body.data) ? body.data : [body];
}

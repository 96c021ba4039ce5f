// Conditional writes: `If-Match` identifies the state that a change is based on. If the current state is different, the change is rejected.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { type Answer, type Manager, startManager } from './manager.ts';

const SITE = '/sites/s_if';
const CONTENT = `${SITE}/content/c_post`;
const REFUSED = {
  message: 'The resource has changed: its ETag no longer matches If-Match.',
  code: 'precondition_failed',
};

let manager: Manager;
let keyPath: string;
let userPath: string;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    await manager.expectOk('POST', '/sites', { id: 's_if', name: 'Site', languages: ['en', 'fr'] });
    const fields = [{ handle: 'body', name: 'Body', type: 'text' }];
    const type = { handle: 'post', name: 'Post', object_type: 'page', uri_pattern: '{slug}', fields };
    await manager.expectOk('POST', `${SITE}/types`, type);
    await manager.expectOk('POST', `${SITE}/authors`, { id: 'u_if', name: 'Ada' });
    await manager.expectOk('POST', `${SITE}/assets`, { id: 'a_if', name: 'Sea', url: 'https://cdn.example/sea.jpg' });
    await manager.expectOk('POST', `${SITE}/content`, { id: 'c_post', name: 'Post', content_type: 'post' });
    const key = await manager.expectOk<{ id: string }>('POST', '/keys', { name: 'Key', sites: ['s_if'] });
    const person = { email: 'bo@example.com', name: 'Bo', role: 'editor', password: 'a long enough password' };
    const user = await manager.expectOk<{ id: string }>('POST', '/users', person);
    keyPath = `/keys/${key.id}`;
    userPath = `/users/${user.id}`;
  });

  afterAll(() => manager.close());

  async function readEtag(path: string): Promise<string> {
    const { status, headers } = await manager.call('GET', path);
    expect(status).toBe(200);
    return headers.get('etag') ?? '';
  }

  function write(method: string, path: string, ifMatch: string, body?: unknown): Promise<Answer> {
    return manager.call(method, path, { body, headers: { 'if-match': ifMatch } });
  }

  /** Sends calls that all wait for the same transaction, so none of them finishes before the last one has arrived. */
  async function whileNobodyWrites(send: () => readonly Promise<Answer>[]): Promise<readonly Answer[]> {
    const sent = await manager.service.storage.transaction(async () => {
      const answers = send();
      // When these reads have returned, the calls that were sent before them have arrived.
      for (let round = 0; round < 5; round++) await readEtag('/account');
      return { answers };
    });
    return Promise.all(sent.answers);
  }

  let words = 0;
  function newWord(): string {
    words += 1;
    return `Word ${words}`;
  }

  async function buildSave(): Promise<object> {
    const { version } = await manager.expectOk<{ version: number }>('GET', CONTENT);
    return { version, name: newWord() };
  }

  const RENAMES: readonly [what: string, path: () => string, method: string, build: () => unknown][] = [
    ['the account', () => '/account', 'PATCH', () => ({ name: newWord() })],
    ['a site', () => SITE, 'PATCH', () => ({ name: newWord() })],
    ['a content type', () => `${SITE}/types/post`, 'PATCH', () => ({ name: newWord() })],
    ['an author', () => `${SITE}/authors/u_if`, 'PATCH', () => ({ name: newWord() })],
    ['an asset', () => `${SITE}/assets/a_if`, 'PATCH', () => ({ name: newWord() })],
    [
      'the asset settings',
      () => `${SITE}/asset-settings`,
      'PATCH',
      () => ({ most_upload_mb: Number.parseInt(newWord().replace(/\D/g, ''), 10) }),
    ],
    [
      'the preview settings',
      () => `${SITE}/preview`,
      'PUT',
      () => ({ addresses: [{ name: newWord(), address: 'https://site.example' }] }),
    ],
    ['an API key', () => keyPath, 'PATCH', () => ({ name: newWord() })],
    ['a user', () => userPath, 'PATCH', () => ({ name: newWord() })],
    ['content', () => CONTENT, 'PUT', buildSave],
  ];

  describe.each(RENAMES)('%s', (_what, findPath, method, build) => {
    test('changes only once when concurrent writes send the same If-Match', async () => {
      const path = findPath();
      const seen = await readEtag(path);
      const bodies = await Promise.all(Array.from({ length: 6 }, build));
      const answers = await whileNobodyWrites(() => bodies.map((body) => write(method, path, seen, body)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('changes only if its state matches If-Match', async () => {
      const path = findPath();
      const seen = await readEtag(path);
      const changed = await write(method, path, seen, await build());
      expect(changed.status).toBe(200);
      const etag = changed.headers.get('etag') ?? '';
      expect(etag).not.toBe(seen);
      expect(await readEtag(path)).toBe(etag);
      const before = (await manager.call('GET', path)).body;
      const refused = await write(method, path, seen, await build());
      expect([refused.status, refused.body, refused.headers.get('etag')]).toEqual([412, REFUSED, etag]);
      expect((await manager.call('GET', path)).body).toEqual(before);
    });
  });

  describe('a resource that is deleted and created again with the same id', () => {
    test('counts as different content, even if its values are the same', async () => {
      const path = `${SITE}/content/c_again`;
      const create = (name: string) =>
        manager.call('POST', `${SITE}/content`, { body: { id: 'c_again', name, content_type: 'post' } });
      const etags: (string | null)[] = [];
      for (const name of ['Mine', 'Theirs', 'Mine']) {
        const created = await create(name);
        expect(created.status).toBe(201);
        const stale = etags.join(', ');
        if (stale !== '') expect((await write('PUT', path, stale, { version: 1, name: 'Over it' })).status).toBe(412);
        etags.push(created.headers.get('etag'));
        expect(await readEtag(path)).toBe(etags.at(-1));
        await manager.expectOk('POST', `${path}/archive`, {});
        await manager.expectOk('DELETE', `${path}?confirm=c_again`);
      }
      expect(new Set(etags).size).toBe(3);
    });

    test('counts as different content, even if it was imported with the same times', async () => {
      const path = `${SITE}/content/c_brought`;
      const times = { created_at: '2024-01-01T00:00:00+00:00', updated_at: '2024-01-01T00:00:00+00:00' };
      const record = { kind: 'content', id: 'c_brought', site: 's_if', content_type: 'post', language: 'en', ...times };
      const bring = async (text: string): Promise<string> => {
        const fields = { body: { text } };
        await manager.service.importRecords([
          { ...record, slug: 'brought', name: 'Brought', status: 'archived', fields },
        ]);
        return readEtag(path);
      };
      const seen = await bring('Mine');
      await manager.expectOk('DELETE', `${path}?confirm=c_brought`);
      expect(await bring('Theirs')).not.toBe(seen);
    });

    test('counts as a different site', async () => {
      const create = () => manager.call('POST', '/sites', { body: { id: 's_again', name: 'Again' } });
      const seen = (await create()).headers.get('etag') ?? '';
      await manager.expectOk('DELETE', '/sites/s_again?confirm=s_again');
      expect((await create()).status).toBe(201);
      expect((await write('DELETE', '/sites/s_again?confirm=s_again', seen)).status).toBe(412);
      await manager.expectOk('DELETE', '/sites/s_again?confirm=s_again');
    });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  test('only one of two password changes with the same If-Match succeeds', async () => {
    await manager.expectOk('PATCH', userPath, { password: 'the password until now' });
    const seen = await readEtag(userPath);
    const passwords = ['the first new password', 'the second new password'];
    const answers = await whileNobodyWrites(() =>
      passwords.map((password) => write('PATCH', userPath, seen, { password })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const kept = answers.find(({ status }) => status === 200)?.headers.get('etag');
    expect(kept).not.toBe(seen);
    expect(await readEtag(userPath)).toBe(kept);
  });

  describe('a nested resource', () => {
    test("is protected by its parent's ETag: fields by their type's, languages by their site's", async () => {
      const type = `${SITE}/types/post`;
      const field = { handle: 'teaser', name: 'Teaser', type: 'text' };
      const seen = await readEtag(type);
      expect((await write('POST', `${type}/fields`, seen, field)).status).toBe(201);
      expect((await write('PATCH', `${type}/fields/teaser`, seen, { name: 'New' })).status).toBe(412);
      expect((await write('DELETE', `${type}/fields/teaser?confirm=teaser`, seen)).status).toBe(412);
      expect((await write('DELETE', `${type}/fields/teaser?confirm=teaser`, await readEtag(type))).status).toBe(204);
      const site = await readEtag(SITE);
      expect((await write('POST', `${SITE}/languages`, site, { language: 'de' })).status).toBe(201);
      expect((await write('DELETE', `${SITE}/languages/de`, site)).status).toBe(412);
      expect((await write('DELETE', `${SITE}/languages/de`, await readEtag(SITE))).status).toBe(200);
    });

    test('is copied and translated only if its state matches If-Match', async () => {
      await manager.expectOk('POST', `${SITE}/content`, { id: 'c_source', name: 'Source', content_type: 'post' });
      const path = `${SITE}/content/c_source`;
      const seen = await readEtag(path);
      expect((await write('POST', `${path}/translations`, seen, { language: 'fr' })).status).toBe(201);
      expect((await write('POST', `${path}/duplicate`, seen, {})).status).toBe(201);
      for (const [step, body] of [
        ['translations', { language: 'fr' }],
        ['duplicate', {}],
      ] as const) {
        const refused = await write('POST', `${path}/${step}`, '"other"', body);
        expect([refused.status, refused.headers.get('etag')], step).toEqual([412, seen]);
      }
    });

    test('is deleted only if its state matches If-Match', async () => {
      const created = await manager.call('POST', `${SITE}/authors`, { body: { id: 'u_gone', name: 'Gone' } });
      const seen = created.headers.get('etag') ?? '';
      await manager.expectOk('PATCH', `${SITE}/authors/u_gone`, { name: 'Not yet' });
      expect((await write('DELETE', `${SITE}/authors/u_gone`, seen)).status).toBe(412);
      const etag = await readEtag(`${SITE}/authors/u_gone`);
      expect((await write('DELETE', `${SITE}/authors/u_gone`, etag)).status).toBe(204);
      expect((await write('DELETE', `${SITE}/authors/u_gone`, etag)).status).toBe(404);
    });
  });

  describe('the ETag of content', () => {
    test('changes with every status change, and each status change can be conditional', async () => {
      const id = 'c_life';
      const path = `${SITE}/content/${id}`;
      const created = await manager.call('POST', `${SITE}/content`, {
        body: { id, name: 'Life', content_type: 'post' },
      });
      const etags = [created.headers.get('etag') ?? ''];
      const later = '2099-01-01T00:00:00+00:00';
      const steps: readonly [string, object][] = [
        ['publish', {}],
        ['schedule', { unpublish_at: later }],
        ['cancel-schedule', {}],
        ['versions/1/restore', { version: 1 }],
        ['unpublish', {}],
        ['archive', {}],
      ];
      for (const [step, body] of steps) {
        const last = etags.at(-1) ?? '';
        const stale = etags.filter((etag) => etag !== last);
        if (stale.length > 0) expect((await write('POST', `${path}/${step}`, stale.join(', '), body)).status).toBe(412);
        expect((await write('POST', `${path}/${step}`, last, body)).status, step).toBe(200);
        etags.push(await readEtag(path));
      }
      // Restoring the only version saves nothing, and cancelling a schedule restores the previous state.
      const [draft, published, scheduled, cancelled, restored, unpublished, archived] = etags;
      expect(cancelled).toBe(published);
      expect(restored).toBe(published);
      expect(new Set([draft, published, scheduled, unpublished, archived]).size).toBe(5);
      const deletion = `${path}?confirm=${id}`;
      expect((await write('DELETE', deletion, unpublished ?? '')).status).toBe(412);
      expect((await write('DELETE', deletion, archived ?? '')).status).toBe(204);
    });

    test('does not change when only related data in the response changes', async () => {
      const seen = await readEtag(CONTENT);
      await manager.expectOk('PATCH', SITE, { url: `https://${newWord().replace(' ', '')}.example` });
      await manager.expectOk('POST', `${CONTENT}/translations`, { id: 'c_post_fr', language: 'fr' });
      expect(await readEtag(CONTENT)).toBe(seen);
    });

    test('is checked before the version when content is saved', async () => {
      const seen = await readEtag(CONTENT);
      const { version } = await manager.expectOk<{ version: number }>('PUT', CONTENT, await buildSave());
      const stale = { version: version - 1, name: newWord() };
      expect((await write('PUT', CONTENT, seen, stale)).status).toBe(412);
      expect((await write('PUT', CONTENT, seen, { version, name: newWord() })).status).toBe(412);
      expect((await write('PUT', CONTENT, await readEtag(CONTENT), stale)).status).toBe(409);
    });
  });

  test('using a key does not change its ETag', async () => {
    const { token, id } = await manager.expectOk<{ token: string; id: string }>('POST', '/keys', {
      name: 'Used',
      sites: ['s_if'],
    });
    const seen = await readEtag(`/keys/${id}`);
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_if' };
    expect((await fetch(`${manager.service.url}/api/v1/content`, { headers })).status).toBe(200);
    expect((await write('POST', `/keys/${id}/revoke`, seen)).status).toBe(200);
  });

  describe('If-Match', () => {
    test.each([
      ['an asterisk', '*', 200],
      ['an asterisk with spaces around it', ' * ', 200],
      ['several ETags, one of which matches', '"other", ETAG', 200],
      ['several ETags without spaces and with empty elements', ',"o,ther",,ETAG,', 200],
      ['a different ETag', '"other"', 412],
      ['several ETags, none of which matches', '"other", "another"', 412],
      ['an empty ETag', '""', 412],
      ['a weak ETag', 'W/ETAG', 412],
      ['no value', '', 400],
      ['an ETag without quotes', 'ETAG_WITHOUT_QUOTES', 400],
      ['a missing quote', '"other', 400],
      ['an asterisk in a list', '*, "other"', 400],
      ['an asterisk in quotes', '"*"', 412],
      ['ETags without a comma', '"other" "another"', 400],
      ['a weak prefix in lower case', 'w/"other"', 400],
    ])('with %s (%j) returns %i', async (_name, header, status) => {
      const etag = await readEtag(SITE);
      const value = header.replace('ETAG_WITHOUT_QUOTES', etag.slice(1, -1)).replace('ETAG', etag);
      const answer = await write('PATCH', SITE, value, { name: newWord() });
      expect(answer.status).toBe(status);
      if (status === 400) {
        const message = 'The If-Match header must be *, or ETags in double quotes, separated by commas.';
        expect(answer.body).toEqual({ message, code: 'malformed' });
      }
    });

    test('is checked after the caller, the existence of the resource and the format of the body', async () => {
      const headers = { 'if-match': '"other"' };
      const statusOf = async (path: string, token: string | undefined, body: unknown = { name: 'New' }) =>
        (await manager.call('PATCH', path, { body, headers, token })).status;
      expect(await statusOf(SITE, undefined)).toBe(401);
      expect(await statusOf(SITE, manager.editor)).toBe(403);
      expect(await statusOf(SITE, manager.stranger)).toBe(404);
      expect(await statusOf('/sites/s_nothing', manager.owner)).toBe(404);
      expect(await statusOf(SITE, manager.owner, { colour: 'red' })).toBe(422);
    });

    test('is checked before the rules for changing a content type', async () => {
      const type = `${SITE}/types/note`;
      const options = ['a', 'b'].map((value) => ({ value, label: value }));
      const fields = [
        { handle: 'title', name: 'Title', type: 'text' },
        { handle: 'kind', name: 'Kind', type: 'option', options },
      ];
      await manager.expectOk('POST', `${SITE}/types`, { handle: 'note', name: 'Note', object_type: 'entry', fields });
      const content = { id: 'c_note', name: 'Note', content_type: 'note', fields: { kind: { selected_option: 'a' } } };
      await manager.expectOk('POST', `${SITE}/content`, content);
      await manager.expectOk('POST', `${SITE}/content/c_note/publish`, {});
      const calls: readonly [method: string, path: string, body?: object][] = [
        ['DELETE', type],
        ['DELETE', `${type}/fields/title`],
        ['PATCH', `${type}/fields/kind`, { options: [{ value: 'b', label: 'b' }] }],
        ['PATCH', `${type}/fields/title`, { required: true }],
        ['POST', `${type}/fields`, { handle: 'new', name: 'New', type: 'text', required: true }],
        ['POST', `${type}/fields`, { handle: 'title', name: 'Title', type: 'text' }],
      ];
      const seen = await readEtag(type);
      for (const [method, path, body] of calls) {
        expect((await write(method, path, '"other"', body)).status, `${method} ${path}`).toBe(412);
        expect((await write(method, path, seen, body)).status, `${method} ${path}`).toBe(409);
      }
      for (const path of [`${SITE}/types/none`, `${type}/fields/none`]) {
        expect((await write('DELETE', path, '"other"')).status, path).toBe(404);
      }
      expect((await write('PATCH', `${type}/fields/title`, '"other"', { colour: 'red' })).status).toBe(422);
    });

    test('is rejected if it contains an ETag and the resource has none, and changes nothing', async () => {
      const send = async (path: string, ifMatch: string, body: unknown): Promise<number> => {
        const headers = {
          authorization: `Bearer ${manager.owner}`,
          'content-type': 'application/json',
          'if-match': ifMatch,
        };
        const url = `${manager.service.url}/manage/v1${path}`;
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
      };
      const author = { id: 'u_new', name: 'New' };
      expect(await send(`${SITE}/authors`, await readEtag(SITE), author)).toBe(412);
      expect((await manager.call('GET', `${SITE}/authors/u_new`)).status).toBe(404);
      expect(await send(`${SITE}/authors`, '*', author)).toBe(201);
      const { id } = await manager.expectOk<{ id: string }>('POST', '/tokens', { name: 'Token', role: 'editor' });
      expect(await send(`/tokens/${id}/revoke`, '"any"', {})).toBe(412);
    });
  });
});

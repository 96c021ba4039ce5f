// Random management calls of every kind on the site in public-answers.ts, and imports. Some are rejected.

import type { ManagedContentBody, ManagedTypeBody } from '@galley/wire';
import { expect } from 'vitest';
import { fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { BundleRefusal } from '../../src/bundle/bundle-report.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { formatTimestamp } from '../../src/content/timestamp.ts';
import { chance, type Draw, drawNumber, pick, shuffle } from '../oracle/draw.ts';
import { openBrowser } from './browser.ts';
import type { Answer, CallOptions, Manager } from './manager.ts';
import { CONTENT_IDS, FIELDS, SITE } from './public-answers.ts';
import { buildForm, drawNew } from './upload-form.ts';

const HOUR_MS = 3_600_000;

export interface Step {
  readonly name: string;
  /** Why the generation may change even though the bodies of all public responses stay the same. */
  readonly caution?: string | undefined;
  readonly take: () => Promise<unknown>;
}

/** A clock that advances only when it is read or moved by hand. */
export class StepClock {
  time = Date.parse('2026-01-01T00:00:00Z');

  readonly now = (): number => {
    this.time += 1000;
    return this.time;
  };
}

export interface RandomSteps {
  /** The number of calls that were rejected. */
  readonly refused: () => number;
  /** The calls so far, for example `PATCH /account`. */
  readonly calls: ReadonlySet<string>;
  /** Every step once. */
  readonly list: (draw: Draw) => Promise<readonly Step[]>;
  /** Picks content changes more often than other steps, because editors make them most often. */
  readonly draw: (draw: Draw) => Promise<Step>;
}

const here = `/sites/${SITE}`;
const WORDS = ['One', 'Red', 'Green', 'Blue'] as const;
const AUTHORS = ['u_shown', 'u_draft', 'u_free'] as const;
const ASSETS = ['a_shown', 'a_draft', 'a_free'] as const;
const LANGUAGES = ['en', 'de', 'fr', 'it'] as const;
const TYPES = ['article', 'plain', 'quote', 'unused'] as const;
const TUS = { 'tus-resumable': '1.0.0' } as const;
const PASSWORD = 'staple battery horse correct';
const TIME = '2024-01-01T12:00:00+00:00';

/** The exceptions in docs/architecture.md. */
const NO_INDEX_OF_BLOCKS = 'no index lists the blocks in published content';
const NO_INDEX_OF_HIDDEN_ASSETS = 'no index lists the assets in visible fields only';
const VALUE_IS_REMOVED = 'the value is removed from published content, which gets a new ETag';

export function createRandomSteps(manager: Manager, clock: StepClock): RandomSteps {
  const { now } = clock;
  let refused = 0;
  const calls = new Set<string>();

  async function send(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await manager.call(method, path, options);
    calls.add(`${method} ${path.replace(/\?.*/, '')}`);
    if (answer.status >= 300) refused += 1;
    expect(answer.status).toBeLessThan(500);
    return answer;
  }

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    return await send(method, path, body === undefined ? {} : { body });
  }

  /** Creates a resource and returns its path. */
  async function create(path: string, body: object): Promise<string> {
    const created = await call('POST', path, body);
    return `${path}/${Object(created.body).id ?? 'none'}`;
  }

  async function createUser(draw: Draw): Promise<{ readonly path: string; readonly email: string }> {
    const email = `a${drawNumber(draw, 0, 9999)}@b.example`;
    return { email, path: await create('/users', { email, name: 'A', role: 'editor', password: PASSWORD }) };
  }

  /** Sends all bytes of a small file, and returns the path of the upload. */
  async function upload(): Promise<string> {
    const begun = await send('POST', `${here}/uploads`, { headers: { ...TUS, 'upload-length': '4' } });
    const path = `${here}/uploads/${begun.headers.get('location')?.split('/').at(-1) ?? 'none'}`;
    const headers = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    await send('PATCH', path, { headers, body: 'text' });
    return path;
  }

  async function setPreview(name: string): Promise<void> {
    await call('PUT', `${here}/preview`, { addresses: [{ name, address: `https://${name.toLowerCase()}.example` }] });
    await call('POST', `${here}/preview/rotate-secret`);
  }

  async function importRecord(record: object): Promise<void> {
    try {
      await manager.service.importRecords([record]);
    } catch (error) {
      expect(error).toBeInstanceOf(BundleRefusal);
      refused += 1;
    }
  }

  async function findContent(id: string): Promise<ManagedContentBody | undefined> {
    const { status, body } = await manager.call('GET', `${here}/content/${id}`);
    return status === 200 ? (body as ManagedContentBody) : undefined;
  }

  /** An id that no content has, unless all of them are taken. */
  async function drawFreeId(draw: Draw): Promise<string> {
    const ids = shuffle(draw, CONTENT_IDS);
    for (const id of ids) if ((await findContent(id)) === undefined) return id;
    return pick(draw, ids);
  }

  function drawFields(draw: Draw): object {
    const fields = {
      title: { text: pick(draw, WORDS) },
      rank: { number: drawNumber(draw, 0, 3) },
      is_pinned: { is_on: chance(draw, 50) },
      mood: { selected_option: pick(draw, ['calm', 'loud', 'odd']) },
      related: { content_links: [pick(draw, CONTENT_IDS)] },
      photos: { assets: [pick(draw, ASSETS)] },
      body: { blocks: [{ name: 'Quote', content_type: 'quote', fields: { words: { text: pick(draw, WORDS) } } }] },
      secret: { text: pick(draw, WORDS) },
      more: { text: pick(draw, WORDS) },
    };
    return Object.fromEntries(shuffle(draw, Object.entries(fields)).slice(0, drawNumber(draw, 1, 4)));
  }

  /** Hidden fields, for example `article.secret`. */
  async function listHidden(): Promise<ReadonlySet<string>> {
    const { data } = await manager.expectOk<{ data: readonly ManagedTypeBody[] }>('GET', `${here}/types`);
    const fields = data.flatMap(({ handle, fields }) => fields.map((field) => ({ ...field, type: handle })));
    return new Set(fields.filter(({ hidden }) => hidden).map(({ type, handle }) => `${type}.${handle}`));
  }

  function listSteps(draw: Draw, hidden: ReadonlySet<string>): StepLists {
    const id = pick(draw, CONTENT_IDS);
    const path = `${here}/content/${id}`;
    const type = pick(draw, TYPES);
    const field = pick(draw, ['title', 'rank', 'is_pinned', 'mood', 'more', 'words', 'secret'] as const);
    const inType = `${here}/types/${type}`;
    const word = pick(draw, WORDS);
    const content: readonly Step[] = [
      {
        name: `create ${id}`,
        take: () =>
          call('POST', `${here}/content`, {
            id,
            content_type: pick(draw, ['article', 'plain']),
            name: word,
            fields: {},
          }),
      },
      ...Array.from({ length: 4 }, () => ({
        name: `save ${id}`,
        take: async () => {
          const found = await findContent(id);
          const author = pick(draw, [...AUTHORS, null]);
          return call('PUT', path, { version: found?.version ?? 1, name: word, author, fields: drawFields(draw) });
        },
      })),
      ...Array.from({ length: 4 }, () => ({
        name: `publish ${id}`,
        take: async () => {
          const published_at = chance(draw, 50) ? { published_at: TIME } : {};
          const version = (await findContent(id))?.version ?? 1;
          return call('POST', `${path}/publish`, { version, ...published_at });
        },
      })),
      {
        name: `discard the changes to ${id}`,
        take: () => call('POST', `${path}/discard-changes`, {}),
      },
      { name: `unpublish ${id}`, take: () => call('POST', `${path}/unpublish`, { confirm: true }) },
      { name: `archive ${id}`, take: () => call('POST', `${path}/archive`, { confirm: true }) },
      { name: `restore ${id}`, take: () => call('POST', `${path}/restore`, {}) },
      { name: `delete ${id}`, take: () => call('DELETE', `${path}?confirm=${id}`) },
      {
        name: `duplicate ${id}`,
        take: async () => call('POST', `${path}/duplicate`, { id: await drawFreeId(draw) }),
      },
      {
        name: `translate ${id}`,
        take: async () =>
          call('POST', `${path}/translations`, {
            id: await drawFreeId(draw),
            language: pick(draw, LANGUAGES),
            name: word,
          }),
      },
      {
        name: `restore a version of ${id}`,
        take: async () =>
          call('POST', `${path}/versions/1/restore`, { version: (await findContent(id))?.version ?? 1 }),
      },
      {
        name: `schedule ${id}`,
        take: () => {
          const member = pick(draw, ['publish_at', 'unpublish_at']);
          return call('POST', `${path}/schedule`, {
            [member]: formatTimestamp(clock.time + drawNumber(draw, 1, 9) * HOUR_MS),
          });
        },
      },
      { name: `cancel the schedule of ${id}`, take: () => call('POST', `${path}/cancel-schedule`, {}) },
      {
        name: 'run a due schedule',
        take: async () => {
          clock.time += drawNumber(draw, 1, 9) * HOUR_MS;
          const desk = { ...createDesk(manager.service.storage), now };
          // Runs only one schedule, because two could publish content and unpublish it again.
          for await (const { failure } of fireDue(desk, clock.time)) {
            expect(failure?.bug ?? null).toBe(null);
            break;
          }
        },
      },
    ];
    const author = pick(draw, AUTHORS);
    const asset = pick(draw, ASSETS);
    const ofAsset = hidden.has('article.photos') ? NO_INDEX_OF_HIDDEN_ASSETS : undefined;
    const ofBlock = type === 'quote' ? NO_INDEX_OF_BLOCKS : undefined;
    const around: readonly Step[] = [
      { name: `rename ${author}`, take: () => call('PATCH', `${here}/authors/${author}`, { name: word }) },
      {
        name: `delete ${author}`,
        take: async () => {
          await call(
            'DELETE',
            `${here}/authors/${author}?confirm=${author}${chance(draw, 50) ? '&replace_with=u_shown' : ''}`,
          );
        },
      },
      { name: `create ${author}`, take: () => call('POST', `${here}/authors`, { id: author, name: word }) },
      {
        name: 'hide or show article.photos',
        take: () => call('PATCH', `${here}/types/article/fields/photos`, { hidden: chance(draw, 30) }),
      },
      {
        name: `rename ${asset}`,
        caution: ofAsset,
        take: () => call('PATCH', `${here}/assets/${asset}`, { name: word }),
      },
      { name: `delete ${asset}`, take: () => call('DELETE', `${here}/assets/${asset}`) },
      {
        name: `create ${asset}`,
        take: () => call('POST', `${here}/assets`, { id: asset, name: word, url: 'https://files.example/x.png' }),
      },
      { name: `rename the type ${type}`, caution: ofBlock, take: () => call('PATCH', inType, { name: word }) },
      {
        name: `change the uri pattern of ${type}`,
        take: () => call('PATCH', inType, { uri_pattern: pick(draw, ['{slug}', '{language}/{slug}', 'x/{slug}']) }),
      },
      {
        name: `reorder the fields of ${type}`,
        caution: ofBlock,
        take: async () => {
          const { body } = await manager.call('GET', inType);
          const fields: readonly { readonly handle: string }[] = Object(body).fields ?? [];
          const handles = fields.map(({ handle }) => handle);
          return call('PUT', `${inType}/field-order`, { fields: shuffle(draw, handles) });
        },
      },
      {
        name: `rename ${type}.${field}`,
        caution: ofBlock,
        take: () => call('PATCH', `${inType}/fields/${field}`, { name: word }),
      },
      {
        name: `hide or show ${type}.${field}`,
        caution: ofBlock,
        take: () => call('PATCH', `${inType}/fields/${field}`, { hidden: chance(draw, 50) }),
      },
      {
        name: `require ${type}.${field}`,
        take: () => call('PATCH', `${inType}/fields/${field}`, { required: chance(draw, 30) }),
      },
      {
        name: 'change the label of an option',
        take: () => {
          const value = pick(draw, ['calm', 'loud', 'odd']);
          const options = FIELDS.mood.options.map((option) =>
            option.value === value ? { value, label: word } : option,
          );
          return call('PATCH', `${here}/types/article/fields/mood`, { options });
        },
      },
      {
        name: `add ${type}.${field}`,
        caution: ofBlock,
        take: () => {
          const { [field]: known = { handle: field, name: field, type: 'text' } } = { ...NO_FIELDS, ...FIELDS };
          return call('POST', `${inType}/fields`, known);
        },
      },
      {
        name: `delete ${type}.${field}`,
        caution: ofBlock ?? (hidden.has(`${type}.${field}`) ? VALUE_IS_REMOVED : undefined),
        take: () => call('DELETE', `${inType}/fields/${field}?confirm=${field}`),
      },
      { name: `delete the type ${type}`, take: () => call('DELETE', inType) },
      {
        name: `create the type ${type}`,
        take: () =>
          call('POST', `${here}/types`, {
            handle: type,
            name: word,
            object_type: type === 'quote' ? 'block' : 'entry',
            fields: [FIELDS.title],
          }),
      },
      { name: 'add a language', take: () => call('POST', `${here}/languages`, { language: pick(draw, LANGUAGES) }) },
      { name: 'remove a language', take: () => call('DELETE', `${here}/languages/${pick(draw, LANGUAGES)}`) },
      {
        name: 'set the default language',
        take: () => call('PUT', `${here}/default-language`, { language: pick(draw, LANGUAGES) }),
      },
      { name: 'rename the site', take: () => call('PATCH', here, { name: word }) },
      {
        name: "change the site's URL",
        take: () => call('PATCH', here, { url: pick(draw, [null, 'https://a.example', 'https://b.example']) }),
      },
      {
        name: 'change another site',
        take: () => call('PATCH', '/sites/s_other', { url: `https://${word}.example` }),
      },
      {
        name: `import ${id}`,
        take: () =>
          importRecord({
            kind: 'content',
            site: SITE,
            id,
            content_type: pick(draw, ['article', 'plain']),
            language: pick(draw, ['en', 'de']),
            translation_of: chance(draw, 50) ? pick(draw, CONTENT_IDS) : null,
            slug: id,
            name: word,
            ...pick(draw, [{ status: 'published', published_at: TIME }, { status: 'draft' }, { status: 'archived' }]),
            created_at: TIME,
            updated_at: TIME,
            fields: { title: { text: word } },
          }),
      },
      { name: `import ${author}`, take: () => importRecord({ kind: 'author', site: SITE, id: author, name: word }) },
      {
        name: `import ${asset}`,
        caution: ofAsset,
        take: () =>
          importRecord({ kind: 'asset', site: SITE, id: asset, name: word, url: 'https://files.example/x.png' }),
      },
      {
        name: 'import the site',
        take: () =>
          importRecord({
            kind: 'site',
            id: SITE,
            name: word,
            default_language: 'en',
            languages: shuffle(draw, ['en', 'de', 'fr']),
            url: pick(draw, ['https://a.example', 'https://b.example']),
          }),
      },
      {
        name: `set the focal point of ${asset}`,
        caution: ofAsset,
        take: () => {
          const focal_point = pick(draw, [null, { x: drawNumber(draw, 0, 2), y: 50 }]);
          return call('PATCH', `${here}/assets/${asset}`, { focal_point });
        },
      },
      {
        name: `replace the file of ${asset}`,
        caution: ofAsset,
        take: async () => {
          const form = buildForm({}, [await drawNew(), 'new.png']);
          const body = chance(draw, 50) ? form : { upload: (await upload()).split('/').at(-1) };
          return call('PUT', `${here}/assets/${asset}/file`, body);
        },
      },
      {
        name: `restore a file of ${asset}`,
        caution: ofAsset,
        take: async () => {
          const { body } = await manager.call('GET', `${here}/assets/${asset}/files`);
          const files: readonly { readonly version: string }[] = Object(body).data ?? [];
          const { version } = files.at(-1) ?? { version: '0123456789abcdef' };
          return call('POST', `${here}/assets/${asset}/restore`, { version });
        },
      },
      { name: 'copy a file that is not public', take: () => call('POST', `${here}/assets/a_local/copy`) },
      {
        name: `change ${asset} in a batch`,
        take: () => {
          const change = pick(draw, [
            { folder: word },
            { add_tags: [word] },
            { remove_tags: [word] },
            { delete: true },
          ]);
          return call('POST', `${here}/assets/batch`, { ids: [asset], ...change });
        },
      },
      {
        name: 'create, rename and delete a folder',
        take: async () => {
          await call('POST', `${here}/asset-folders`, { path: 'new' });
          await call('PATCH', `${here}/asset-folders`, { path: pick(draw, ['new', word]), new_path: `${word} again` });
          return call('DELETE', `${here}/asset-folders?path=${pick(draw, ['new', `${word}%20again`])}`);
        },
      },
      {
        name: 'change the asset settings',
        take: () => {
          const image_access = pick(draw, ['open', 'presets', 'signed']);
          return call('PATCH', `${here}/asset-settings`, { image_access, requires_description: chance(draw, 20) });
        },
      },
      {
        name: 'save an image preset',
        take: () => call('PUT', `${here}/image-presets/card`, { parameters: `w=${drawNumber(draw, 1, 300)}` }),
      },
      { name: 'delete an image preset', take: () => call('DELETE', `${here}/image-presets/card`) },
      { name: 'cancel an upload', take: async () => send('DELETE', await upload(), { headers: TUS }) },
      { name: 'change the preview settings', take: () => setPreview(word) },
      {
        name: `share ${id}`,
        take: async () => {
          await setPreview(word);
          return call('DELETE', await create(`${path}/share-links`, {}));
        },
      },
      { name: `check ${id}`, take: () => call('POST', `${path}/validate`, { name: word }) },
      { name: `render ${id}`, take: () => call('POST', `${path}/render`, {}) },
      {
        name: 'change a webhook',
        take: async () => {
          const webhook = await create(`${here}/webhooks`, { name: word, url: 'https://small.example/hook' });
          await call('PATCH', webhook, { name: word });
          await call('POST', `${webhook}/rotate-secret`);
          const tested = await create(`${webhook}/test`, {});
          return call('POST', `${webhook}/calls/${tested.split('/').at(-1)}/send-again`);
        },
      },
      {
        name: 'delete a webhook',
        take: async () => call('DELETE', await create(`${here}/webhooks`, { name: word, url: 'https://a.example' })),
      },
      {
        name: 'create and delete a site',
        take: async () => {
          await call('POST', '/sites', { id: 's_third', name: word, default_language: 'en' });
          return call('DELETE', '/sites/s_third?confirm=s_third');
        },
      },
      { name: 'set up the service', take: () => call('POST', '/setup', { ...GUESS, name: word, password: PASSWORD }) },
      {
        name: 'change and revoke a key',
        take: async () => {
          const key = await create('/keys', { name: word, sites: [SITE] });
          await call('PATCH', key, { all_sites: true, rate_limit: drawNumber(draw, 0, 9) });
          return call('POST', `${key}/revoke`);
        },
      },
      {
        name: 'revoke a token',
        take: async () => call('POST', `${await create('/tokens', { name: word, role: 'editor' })}/revoke`),
      },
      {
        name: 'change and delete a user',
        take: async () => {
          const { path: user } = await createUser(draw);
          await call('PATCH', user, { name: word, is_suspended: true });
          return call('DELETE', `${user}?confirm=${user.split('/').at(-1)}`);
        },
      },
      {
        name: 'sign in, change the password and sign out',
        take: async () => {
          const browser = openBrowser({ call: send });
          await browser.signIn((await createUser(draw)).email, PASSWORD);
          const passwords = { current_password: PASSWORD, new_password: `${PASSWORD} ${word}` };
          await browser.call('PUT', '/session/password', passwords);
          return browser.call('DELETE', '/session');
        },
      },
      { name: 'create a key', take: () => call('POST', '/keys', { name: word, all_sites: true }) },
      { name: 'create a token', take: () => call('POST', '/tokens', { name: word, role: 'editor' }) },
      { name: 'rename the account', take: () => call('PATCH', '/account', { name: word }) },
    ];
    return { content, around };
  }

  return {
    refused: () => refused,
    calls,
    list: async (draw) => Object.values(listSteps(draw, await listHidden())).flat(),
    draw: async (draw) => {
      const { content, around } = listSteps(draw, await listHidden());
      return chance(draw, 55) ? pick(draw, content) : pick(draw, around);
    },
  };
}

interface StepLists {
  readonly content: readonly Step[];
  readonly around: readonly Step[];
}

const GUESS = { token: 'gs_guess', email: 'first@small.example' } as const;
const NO_FIELDS: Readonly<Record<string, { handle: string; name: string; type: string } | undefined>> = {};

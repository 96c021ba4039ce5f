// Text that was copied from a preview contains marks. The marks are removed, whoever saves the text and however they do so.

import type { ManagedAssetBody, ManagedContentBody } from '@galley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeMark } from '../../src/content/marks.ts';
import { findTablesWith } from '../support/find-tables-with.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { type ContentDesk, openContentDesk, SITE } from './content-desk.ts';
import { type Manager, startManager } from './manager.ts';
import { buildForm, drawNew } from './upload-form.ts';

const MARK = encodeMark({ id: 'c_1', path: 'fields.title', language: 'en' });
const ZERO_WIDTH = '\u200b\u200b\u200b\u200b';

let manager: Manager;
let desk: ContentDesk;

beforeAll(async () => {
  manager = await startManager();
  desk = await openContentDesk(manager);
});

afterAll(async () => {
  expect(await findTablesWith(manager.service.storage, ZERO_WIDTH)).toEqual([]);
  await manager.close();
});

/** The same text with a mark at the end. */
function mark(text: string): string {
  return text + MARK;
}

const VALUES = {
  name: mark('Name'),
  slug: mark('a-slug'),
  uri: mark('a/path'),
  seo: { title: mark('Title'), canonical_url: mark('https://x.example'), open_graph: { image_alt: mark('Alt') } },
  fields: {
    title: { text: mark('Title') },
    body: { text: `<p title="${mark('a')}">${mark('Text')}</p>` },
    notes: { text: `${mark('# Notes')}\n${mark('More')}` },
    parts: { blocks: [{ content_type: 'card', name: mark('Block'), fields: { title: { text: mark('In a block') } } }] },
  },
};

function expectClean(saved: ManagedContentBody): void {
  expect(saved).toMatchObject({
    name: 'Name',
    slug: 'a-slug',
    uri: 'a/path',
    seo: { title: 'Title', canonical_url: 'https://x.example', open_graph: { image_alt: 'Alt' } },
    fields: {
      title: { text: 'Title' },
      body: { text: '<p title="a">Text</p>' },
      notes: { text: '# Notes\nMore' },
      parts: { blocks: [{ name: 'Block', fields: { title: { text: 'In a block' } } }] },
    },
  });
}

test('content is created and saved without marks', async () => {
  const created = await desk.create(VALUES);
  expectClean(created);
  const saved = await desk.save(created, VALUES);
  expectClean(saved);
  expect(saved.version).toBe(created.version);
});

test('escaped characters and entities make no difference', async () => {
  const { id, version } = await desk.create();
  const escapeSome = (values: object, characters: RegExp) =>
    JSON.stringify(values).replaceAll(characters, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const escaped = await desk.call(
    'PUT',
    `/${id}`,
    escapeSome({ version, name: mark('Escaped') }, /[\u200b-\u200d\ufeff]/g),
  );
  expect(escaped.body).toMatchObject({ name: 'Escaped' });
  const partly = escapeSome({ version: version + 1, name: mark('Partly escaped') }, /[\u200c-\u200d\ufeff]/g);
  expect((await desk.call('PUT', `/${id}`, partly)).body).toMatchObject({ name: 'Partly escaped' });
  const entities = [...MARK].map((it) => `&#${it.charCodeAt(0)};`).join('');
  const text = `<p>Entities${entities}</p>`;
  const again = await desk.call('PUT', `/${id}`, { version: version + 2, fields: { body: { text } } });
  expect(again.body).toMatchObject({ fields: { body: { text: '<p>Entities</p>' } } });
});

test('zero-width characters that people type are saved', async () => {
  const text = 'می\u200cخواهم 👩\u200d💻 \u200b\u200b';
  const created = await desk.create({ name: text, fields: { title: { text } } });
  expect(created).toMatchObject({ name: text, fields: { title: { text } } });
});

test('other records are saved without marks', async () => {
  const site = `/sites/${SITE}`;
  const author = await manager.expectOk<{ name: string }>('POST', `${site}/authors`, { name: mark('Ada') });
  expect(author.name).toBe('Ada');
  const asset = await manager.expectOk<ManagedAssetBody>('PATCH', `${site}/assets/a_photo`, {
    description: mark('A photo'),
    name: mark('Photo'),
  });
  expect(asset).toMatchObject({ description: 'A photo', name: 'Photo' });
  await manager.expectOk('PATCH', site, { name: mark('Desk') });
});

test('uploads are saved without marks', async () => {
  const form = buildForm({ description: mark('A map'), tags: [mark('press')] }, [
    await drawNew(),
    `${mark('map')}.png`,
  ]);
  const asset = await manager.expectOk<ManagedAssetBody>('POST', `/sites/${SITE}/assets`, form);
  expect(asset).toMatchObject({ description: 'A map', tags: ['press'], name: 'map.png' });
});

test('the name of a resumable upload is saved without marks', async () => {
  const bytes = await drawNew();
  const authorization = `Bearer ${manager.owner}`;
  const created = await fetch(`${manager.service.url}/manage/v1/sites/${SITE}/uploads`, {
    method: 'POST',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(`${MARK}route.png`).toString('base64')}`,
    },
  });
  const upload = created.headers.get('location') ?? '';
  const sent = await fetch(new URL(upload, manager.service.url), {
    method: 'PATCH',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  });
  expect(sent.status).toBe(204);
  const asset = await manager.expectOk<ManagedAssetBody>('POST', `/sites/${SITE}/assets`, {
    upload: upload.split('/').at(-1),
  });
  expect(asset.name).toBe('route.png');
});

test('records are imported without marks', async () => {
  await manager.service.importRecords([
    { kind: 'site', id: 's_marked', name: mark('Site'), default_language: 'en', languages: ['en'] },
    {
      kind: 'asset',
      id: 'a_1',
      site: 's_marked',
      name: mark('A'),
      description: mark('B'),
      url: 'https://x.example/a.png',
    },
    {
      kind: 'content_type',
      id: 't_1',
      site: 's_marked',
      handle: 'post',
      name: mark('Post'),
      fields: [
        { handle: 'title', type: 'text' },
        { handle: 'tags', type: 'list' },
      ],
    },
    {
      kind: 'content',
      id: 'c_1',
      site: 's_marked',
      content_type: 'post',
      language: 'en',
      slug: 'name',
      name: mark('Name'),
      status: 'published',
      published_at: '2024-01-01T00:00:00+00:00',
      fields: { title: { text: mark('Title') }, tags: { list: [mark('one'), 'two'] } },
    },
  ]);
  const read = await manager.read('s_marked', '/c_1');
  expect(read.body).toMatchObject({
    name: 'Name',
    fields: { title: { text: 'Title' }, tags: { list: [{ text: 'one' }, { text: 'two' }] } },
  });
});

test('commands save names without marks', async () => {
  await using folder = await makeFolder();
  const options = { cwd: folder.path };
  await runGalley(['site', 'create', '--id', 's_cli', '--name', mark('Docs')], options);
  expect(await runForJson(['site', 'list'], options)).toMatchObject([{ id: 's_cli', name: 'Docs' }]);
});

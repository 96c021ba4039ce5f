// A site's asset settings, its image presets, and the key that signs its image URLs.

import type { AssetSettingsBody, ImageKeyBody, ImagePresetListBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseImageParameters } from '../../src/images/image-parameters.ts';
import { ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { importMagazine, PHOTO } from './small-magazine.ts';

const DEFAULTS: AssetSettingsBody = {
  keeps_location: false,
  upload_types: null,
  most_upload_mb: null,
  most_megapixels: null,
  image_access: 'open',
  requires_description: false,
};

let manager: Manager;
const site = '/sites/s_mag';

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    await importMagazine(manager, 's_mag');
  });

  afterAll(() => manager.close());

  describe('the asset settings', () => {
    const path = `${site}/asset-settings`;

    test('can be read by editors, and changed one by one by owners', async () => {
      expect(await manager.expectOk('GET', path, undefined, manager.editor)).toEqual(DEFAULTS);
      const changes: readonly Partial<AssetSettingsBody>[] = [
        { keeps_location: true },
        { upload_types: ['image/', 'application/pdf'] },
        { most_upload_mb: 20, most_megapixels: 50 },
        { image_access: 'signed' },
      ];
      let expected = DEFAULTS;
      for (const change of changes) {
        expected = { ...expected, ...change };
        expect(await manager.expectOk('PATCH', path, change)).toEqual(expected);
        expect(await manager.expectOk('GET', path)).toEqual(expected);
      }
      expect(await manager.expectOk('PATCH', path, {})).toEqual(expected);
      expect(await manager.call('PATCH', path, { body: {}, token: manager.editor })).toMatchObject({ status: 403 });
      expect(await manager.expectOk('PATCH', path, DEFAULTS)).toEqual(DEFAULTS);
    });

    test('have their default values on a new site that reuses the id of a deleted one', async () => {
      const own = '/sites/s_gone';
      await manager.expectOk('POST', '/sites', { id: 's_gone', name: 'Gone' });
      await manager.expectOk('PATCH', `${own}/asset-settings`, { image_access: 'signed', most_upload_mb: 3 });
      await manager.expectOk('PUT', `${own}/image-presets/card`, { parameters: 'w=3' });
      await manager.expectOk('POST', `${own}/asset-folders`, { path: 'a' });
      await manager.expectOk('DELETE', `${own}?confirm=s_gone`);
      await manager.expectOk('POST', '/sites', { id: 's_gone', name: 'Again' });
      expect(await manager.expectOk('GET', `${own}/asset-settings`)).toEqual(DEFAULTS);
      expect(await manager.expectOk('GET', `${own}/image-presets`)).toEqual({ data: [] });
      expect(await manager.expectOk('GET', `${own}/asset-folders`)).toEqual({ data: [] });
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test.each([
      [{ keeps_location: 1 }, 'keeps_location'],
      [{ upload_types: [] }, 'upload_types'],
      [{ upload_types: ['image/,text/'] }, 'upload_types[0]'],
      [{ upload_types: ['png'] }, 'upload_types[0]'],
      [{ most_upload_mb: 0 }, 'most_upload_mb'],
      [{ most_megapixels: 1.5 }, 'most_megapixels'],
      [{ image_access: 'closed' }, 'image_access'],
      [{ colour: 'red' }, 'colour'],
    ])('reject %j', async (body, place) => {
      expect(await manager.call('PATCH', path, { body })).toMatchObject({
        status: 422,
        body: { errors: [{ path: place }] },
      });
    });
  });

  describe('image presets', () => {
    const path = `${site}/image-presets`;
    const put = (name: string, parameters: unknown) => manager.call('PUT', `${path}/${name}`, { body: { parameters } });

    test('can be saved under a name, listed and deleted', async () => {
      const card = { name: 'card', parameters: 'w=300&h=200&fit=crop' };
      expect(await put('card', card.parameters)).toMatchObject({ status: 200, body: card });
      expect((await put('a-wide', 'w=1200&dpr=2')).status).toBe(200);
      const read = async () =>
        (await manager.expectOk<ImagePresetListBody>('GET', path, undefined, manager.editor)).data;
      expect(await read()).toEqual([{ name: 'a-wide', parameters: 'w=1200&dpr=2' }, card]);
      await put('card', 'w=400');
      expect(await read()).toContainEqual({ name: 'card', parameters: 'w=400' });
      const parsed = parseImageParameters(
        [['p', 'card']],
        new Map((await read()).map((each) => [each.name, each.parameters])),
      );
      expect(parsed).toMatchObject({ ok: true, value: { width: 400 } });
      expect(await manager.call('DELETE', `${path}/card`)).toMatchObject({ status: 204 });
      expect(await manager.call('DELETE', `${path}/card`)).toMatchObject({ status: 404 });
      expect(await read()).toEqual([{ name: 'a-wide', parameters: 'w=1200&dpr=2' }]);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test.each([
      ['Card', 'w=3', 'name'],
      ['a_b', 'w=3', 'name'],
      ['x'.repeat(65), 'w=3', 'name'],
      ['a', 'w=0', 'parameters'],
      ['a', 'w=3&w=4', 'parameters'],
      ['a', 'width=3', 'parameters'],
      ['a', 'p=card', 'parameters'],
      ['a', 's=abc', 'parameters'],
      ['a', '', 'parameters'],
      ['a', '?w=3', 'parameters'],
      ['a', `bg=${'f'.repeat(1030)}`, 'parameters'],
      ['a', 3, 'parameters'],
    ])('reject the name %j with %.20j', async (name, parameters, place) => {
      expect(await put(name, parameters)).toMatchObject({ status: 422, body: { errors: [{ path: place }] } });
    });

    test('are limited to a hundred per site', async () => {
      await manager.expectOk('POST', '/sites', { id: 's_presets', name: 'Presets' });
      const own = '/sites/s_presets/image-presets';
      for (let index = 0; index < 100; index++)
        await manager.expectOk('PUT', `${own}/p${index}`, { parameters: 'w=3' });
      const more = await manager.call('PUT', `${own}/more`, { body: { parameters: 'w=3' } });
      expect(more).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
      await manager.expectOk('PUT', `${own}/p5`, { parameters: 'w=4' });
    });
  });

  test('each site has its own key for image URLs, and only owners can read it', async () => {
    await manager.expectOk('POST', '/sites', { id: 's_key', name: 'Key' });
    const read = async (id: string) => (await manager.expectOk<ImageKeyBody>('GET', `/sites/${id}/image-key`)).key;
    const own = await read('s_mag');
    expect(own).toBe(manager.service.storage.deriveKey('images s_mag').toString('base64url'));
    expect(await read('s_mag')).toBe(own);
    expect(await read('s_key')).not.toBe(own);
    const refused = await manager.call('GET', `${site}/image-key`, { token: manager.editor });
    expect(refused).toMatchObject({ status: 403 });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('a required description', () => {
    test('prevents content from being published until all its images have a description', async () => {
      const content = `${site}/content/c_two`;
      await manager.expectOk('POST', `${site}/assets`, { id: 'a_text', name: 'Notes', url: '/notes.txt' });
      const { version } = await manager.expectOk<{ version: number }>('GET', content);
      const figure = { content_type: 'figure', fields: { picture: { assets: ['a_free'] } } };
      const fields = { photos: { assets: ['a_text', PHOTO.id] }, body: { blocks: [figure] } };
      await manager.expectOk('PUT', content, { version, fields });
      const faultless = await manager.expectOk<{ faults: unknown }>('GET', content);
      expect(faultless.faults).toEqual([]);

      await manager.expectOk('PATCH', `${site}/asset-settings`, { requires_description: true });
      const missing = (path: string, name: string) => ({
        path,
        message: `must have a description; the image "${name}" has none`,
        code: 'description_missing',
        values: { name },
      });
      const faults = [
        missing('fields.photos.assets[1]', 'Photo'),
        missing('fields.body.blocks[0].fields.picture.assets[0]', 'Free'),
      ];
      expect(await manager.expectOk('GET', content)).toMatchObject({ faults });
      for (const [action, body] of [
        ['publish', {}],
        ['schedule', { publish_at: '2099-01-01T00:00:00+00:00' }],
      ] as const) {
        const refused = await manager.call('POST', `${content}/${action}`, { body });
        expect(refused).toMatchObject({
          status: 422,
          body: {
            message:
              'Content c_two cannot be published: fields.photos.assets[1] must have a description; the image "Photo" has none, and 1 more.',
            errors: faults,
          },
        });
      }
      for (const id of ['a_free', PHOTO.id]) {
        await manager.expectOk('PATCH', `${site}/assets/${id}`, { description: 'A view' }, manager.editor);
      }
      await manager.expectOk('POST', `${content}/publish`, {}, manager.editor);
      await manager.expectOk('PATCH', `${site}/asset-settings`, { requires_description: false });
    });
  });
});

// Audit log entries for sites, languages, authors, assets and keys: each change is logged once, and rejected calls are not logged.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

let manager: Manager;

beforeAll(async () => {
  manager = await startManager();
});

afterAll(() => manager.close());

interface Log {
  readonly data: readonly {
    readonly action: string;
    readonly actor: { readonly kind: string };
    readonly site: string | null;
    readonly subject: { readonly id: string | null; readonly name: string | null };
  }[];
}

async function readActions(): Promise<readonly string[]> {
  const { data } = await manager.expectOk<Log>('GET', '/audit?limit=100');
  return data.toReversed().map(({ action, site, subject }) => `${action} ${site} ${subject.id} ${subject.name}`);
}

test('every change is logged once; rejected calls and calls that change nothing are not logged', async () => {
  await importMagazine(manager, 's_mag');
  const before = await readActions();
  const site = '/sites/s_log';
  const steps: readonly (readonly [string, string, unknown, string | null])[] = [
    ['POST', '/sites', { id: 's_log', name: 'Log' }, 'site.create s_log s_log Log'],
    ['POST', '/sites', { id: 's_log', name: 'Log' }, null],
    ['PATCH', site, { name: 'Logbook' }, 'site.update s_log s_log Logbook'],
    ['PATCH', site, { name: 'Logbook' }, null],
    ['POST', `${site}/languages`, { language: 'fr' }, 'site.add_language s_log s_log Logbook'],
    ['POST', `${site}/languages`, { language: 'fr' }, null],
    ['PUT', `${site}/default-language`, { language: 'fr' }, 'site.set_default_language s_log s_log Logbook'],
    ['PUT', `${site}/default-language`, { language: 'fr' }, null],
    ['DELETE', `${site}/languages/en`, undefined, 'site.remove_language s_log s_log Logbook'],
    ['POST', `${site}/authors`, { id: 'u_a', name: 'A' }, 'author.create s_log u_a null'],
    ['PATCH', `${site}/authors/u_a`, { name: 'B' }, 'author.update s_log u_a null'],
    ['PATCH', `${site}/authors/u_a`, {}, null],
    ['DELETE', `${site}/authors/u_a`, undefined, 'author.delete s_log u_a null'],
    ['DELETE', '/sites/s_mag/authors/u_ada', undefined, null],
    ['POST', `${site}/assets`, { id: 'a_a', name: 'A', url: '/a.png' }, 'asset.create s_log a_a A'],
    ['PATCH', `${site}/assets/a_a`, { name: 'B' }, 'asset.update s_log a_a B'],
    ['PATCH', `${site}/assets/a_a`, { name: 'B' }, null],
    ['PATCH', `${site}/assets/a_a`, { tags: ['sea'] }, 'asset.update s_log a_a B'],
    ['PATCH', `${site}/assets/a_a`, { tags: ['sea'] }, null],
    ['POST', `${site}/asset-folders`, { path: 'old' }, 'asset.create_folder s_log null old'],
    ['POST', `${site}/asset-folders`, { path: 'old' }, null],
    ['PATCH', `${site}/asset-folders`, { path: 'old', new_path: 'new' }, 'asset.rename_folder s_log null new'],
    ['PATCH', `${site}/asset-folders`, { path: 'new', new_path: 'new' }, null],
    ['DELETE', `${site}/asset-folders?path=new`, undefined, 'asset.delete_folder s_log null new'],
    ['DELETE', `${site}/asset-folders?path=new`, undefined, null],
    ['POST', `${site}/assets/batch`, { ids: ['a_a'], folder: 'x' }, 'asset.update s_log a_a B'],
    ['POST', `${site}/assets/batch`, { ids: ['a_a'], folder: 'x' }, null],
    ['PATCH', `${site}/asset-settings`, { keeps_location: true }, 'site.update_asset_settings s_log s_log Logbook'],
    ['PATCH', `${site}/asset-settings`, { keeps_location: true }, null],
    ['PUT', `${site}/image-presets/card`, { parameters: 'w=3' }, 'site.save_image_preset s_log null card'],
    ['PUT', `${site}/image-presets/card`, { parameters: 'w=3' }, null],
    ['DELETE', `${site}/image-presets/card`, undefined, 'site.delete_image_preset s_log null card'],
    ['DELETE', `${site}/image-presets/card`, undefined, null],
    ['DELETE', `${site}/assets/a_a`, undefined, 'asset.delete s_log a_a B'],
    ['DELETE', '/sites/s_mag/assets/a_photo', undefined, null],
  ];
  for (const [method, path, body] of steps) await manager.call(method, path, { body });
  const { id } = await manager.expectOk<{ id: string }>('POST', '/keys', { name: 'K', all_sites: true });
  await manager.expectOk('PATCH', `/keys/${id}`, { name: 'L' });
  await manager.expectOk('PATCH', `/keys/${id}`, { all_sites: true });
  await manager.expectOk('POST', `/keys/${id}/revoke`);
  await manager.expectOk('POST', `/keys/${id}/revoke`);
  expect((await readActions()).slice(before.length)).toEqual([
    ...steps.flatMap(([, , , entry]) => entry ?? []),
    `key.create null ${id} K`,
    `key.update null ${id} L`,
    `key.revoke null ${id} L`,
  ]);
});

interface Told {
  readonly data: readonly { readonly action: string; readonly details: unknown }[];
}

async function readDetails(count: number): Promise<readonly unknown[]> {
  const { data } = await manager.expectOk<Told>('GET', `/audit?limit=${count}`);
  return data.toReversed().map(({ details }) => details);
}

test('a change is logged with its old and new values, and never with a token', async () => {
  await manager.expectOk('POST', '/sites', { id: 's_told', name: 'Told' });
  const expires_at = '2099-01-01T00:00:00+00:00';
  const key = await manager.expectOk<{ id: string; token: string }>('POST', '/keys', {
    name: 'K',
    sites: ['s_told'],
    expires_at,
    rate_limit: 9,
  });
  await manager.expectOk('PATCH', `/keys/${key.id}`, { expires_at: null, rate_limit: 0 });
  await manager.expectOk('PATCH', `/keys/${key.id}`, { all_sites: true, preview: true });
  const told = await readDetails(3);
  expect(told).toEqual([
    { sites: ['s_told'], preview: false, expires_at, rate_limit: 9 },
    { before: { expires_at, rate_limit: 9 }, after: { expires_at: null, rate_limit: 0 } },
    { before: { sites: ['s_told'], preview: false }, after: { sites: null, preview: true } },
  ]);
  expect(JSON.stringify(told)).not.toContain(key.token);

  await manager.expectOk('POST', '/sites/s_told/assets', { id: 'a_a', name: 'A', url: '/a.png' });
  await manager.expectOk('PATCH', '/sites/s_told/assets/a_a', { url: '/b.png', width: 4 });
  await manager.expectOk('POST', '/sites/s_told/authors', { id: 'u_a', name: 'A' });
  await manager.expectOk('PATCH', '/sites/s_told/authors/u_a', { profile_photo_url: '/a.png' });
  await manager.expectOk('PATCH', '/sites/s_told', { name: 'Told again' });
  expect((await readDetails(4)).filter((details) => details !== null)).toEqual([
    {
      before: { url: '/a.png', path: 'a.png', width: null },
      after: { url: '/b.png', path: 'b.png', width: 4 },
    },
    { before: { profile_photo_url: null }, after: { profile_photo_url: '/a.png' } },
    { before: { name: 'Told' }, after: { name: 'Told again' } },
  ]);
});

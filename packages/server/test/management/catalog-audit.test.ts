// What the audit log tells of sites, languages, authors, assets and keys: each change once, and nothing that was refused.

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

test('every change is told once, and what is refused or changes nothing is not', async () => {
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
    ['POST', `${site}/authors`, { id: 'u_a', name: 'A' }, 'author.create s_log u_a A'],
    ['PATCH', `${site}/authors/u_a`, { name: 'B' }, 'author.update s_log u_a B'],
    ['PATCH', `${site}/authors/u_a`, {}, null],
    ['DELETE', `${site}/authors/u_a`, undefined, 'author.delete s_log u_a B'],
    ['DELETE', '/sites/s_mag/authors/u_ada', undefined, null],
    ['POST', `${site}/assets`, { id: 'a_a', name: 'A', url: '/a.png' }, 'asset.create s_log a_a A'],
    ['PATCH', `${site}/assets/a_a`, { name: 'B' }, 'asset.update s_log a_a B'],
    ['PATCH', `${site}/assets/a_a`, { name: 'B' }, null],
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

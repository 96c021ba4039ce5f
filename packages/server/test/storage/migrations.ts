// Content in a database from an earlier release is still available after an upgrade.

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { type AuditEntryRow, insertAuditEntry } from '../../src/storage/accounts/audit-entries.ts';
import { insertManagementToken } from '../../src/storage/accounts/management-tokens.ts';
import { countContent } from '../../src/storage/contents/content-counts.ts';
import { selectCurrentVersion } from '../../src/storage/migrations.ts';
import { selectSite } from '../../src/storage/sites/select-catalog.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { importRecords } from './editor.ts';

const MODELS = ['published', 'preview'] as const;

const RECORDS = [
  site('s_one'),
  contentType('s_one', 'note', [{ handle: 'line', type: 'text' }]),
  content({ id: 'c_1', site: 's_one', fields: { line: { text: 'Größe' } }, draft: { name: 'newer' } }),
  content({ id: 'c_2', site: 's_one', fields: { line: { text: 'two\nlines' } } }),
  content({ id: 'c_3', site: 's_one', status: 'draft' }),
];

const ASSET_INDEXES = ['created', 'size', 'folder_name', 'folder_created', 'folder_size', 'sha256'].map(
  (name) => `assets_${name}`,
);
const ASSET_COLUMNS = [
  ...[
    'sha256',
    'file_name',
    'focal_x',
    'focal_y',
    'placeholder',
    'colour',
    'folder',
    'folder_key',
    'created_at',
    'search_key',
  ],
];
const SITE_COLUMNS = [
  ...['keeps_location', 'upload_types', 'most_upload_mb', 'most_megapixels', 'image_access', 'requires_description'],
];

/** Downgrades the schema to the first release. */
const FIRST_RELEASE = [
  ...MODELS.flatMap((model) => [
    `alter table ${model}_contents add column body text`,
    `update ${model}_contents set body = (select body from ${model}_bodies as b where b.content_no = ${model}_contents.content_no)`,
    `drop table ${model}_bodies`,
  ]),
  'drop table content_counts',
  'drop index contents_site_publish_at',
  'drop index contents_site_unpublish_at',
  ...['was_published', 'restored_from'].map((column) => `alter table content_versions drop column ${column}`),
  'drop index audit_entries_subject_id',
  'drop index content_versions_saver',
  ...['changes', 'webhooks', 'webhook_calls', 'webhook_call_contents', 'leases', 'preview_settings', 'share_links'].map(
    (table) => `drop table ${table}`,
  ),
  ...['deletion', 'preview_generation', 'shown_catalog', 'changes_start'].map(
    (column) => `alter table sites drop column ${column}`,
  ),
  'drop table installation_keys',
  ...['maker_kind', 'maker_id'].map((column) => `alter table management_tokens drop column ${column}`),
  'drop table idempotent_calls',
  'create table departed_keys (model text not null, site_no bigint not null, id text not null, left_at bigint not null, keys text not null)',
  ...MODELS.flatMap((model) => [
    `insert into departed_keys select '${model}', site_no, id, left_at, keys from ${model}_departed_keys`,
    `drop table ${model}_departed_keys`,
  ]),
  ...['at', 'updated_at', 'created_at', 'name_key'].map((name) => `drop index contents_failed_${name}`),
  ...['action', 'due_at', 'at', 'reason'].map((name) => `alter table contents drop column failed_${name}`),
  ...ASSET_INDEXES.map((name) => `drop index ${name}`),
  ...ASSET_COLUMNS.map((column) => `alter table assets drop column ${column}`),
  ...['asset_files', 'asset_tags', 'asset_folders', 'image_presets'].map((table) => `drop table ${table}`),
  ...SITE_COLUMNS.map((column) => `alter table sites drop column ${column}`),
  'delete from schema_versions where version > 1',
];

/** @param open opens the same database again, as a restart does */
export function describeMigrations(getStorage: () => Storage, open: () => Promise<Storage>): void {
  describe('a database from the first release', () => {
    async function readRows(storage: Storage, text: string): Promise<readonly unknown[]> {
      return storage.read(query(defineStatement(() => sql.raw(text))));
    }

    function readBodies(storage: Storage): Promise<readonly unknown[]> {
      const select = (model: string) =>
        `select '${model}' as model, p.id, b.body from ${model}_contents as p join ${model}_bodies as b on b.content_no = p.content_no`;
      return readRows(storage, `${MODELS.map(select).join(' union all ')} order by model, id`);
    }

    async function becomeFirstRelease(storage: Storage): Promise<void> {
      await storage.transaction(async (transaction) => {
        for (const text of FIRST_RELEASE) await transaction.run(query(defineStatement(() => sql.raw(text))));
      });
    }

    test('shows the same content after an upgrade', async () => {
      const storage = getStorage();
      await importRecords(storage, RECORDS);
      const before = await readBodies(storage);
      expect(before).toMatchObject([
        { model: 'preview', id: 'c_1' },
        { model: 'preview', id: 'c_3' },
        { model: 'published', id: 'c_1' },
        { model: 'published', id: 'c_2' },
      ]);
      await becomeFirstRelease(storage);

      const next = await open();
      expect(await next.read(selectCurrentVersion())).toBeGreaterThan(1);
      expect(await readBodies(next)).toEqual(before);
      for (const model of MODELS) {
        const [row] = await readRows(next, `select * from ${model}_contents limit 1`);
        expect(Object.keys(Object(row))).not.toContain('body');
      }
    });

    test('keeps its generations after an upgrade, so clients and nodes can keep using their caches', async () => {
      const storage = getStorage();
      await importRecords(storage, RECORDS);
      const columns = 'generation, catalog, preview_generation, shown_catalog';
      const [before] = await readRows(storage, 'select generation, catalog from sites');
      const { generation, catalog } = Object(before);
      await becomeFirstRelease(storage);
      expect(await readRows(await open(), `select ${columns} from sites`)).toEqual([
        { generation, catalog, preview_generation: generation, shown_catalog: catalog },
      ]);
    });

    test('keeps the earlier positions of moved content after an upgrade, separately for published content and previews', async () => {
      const storage = getStorage();
      // This name is long enough for the earlier sort keys to be stored when the content moves.
      const name = 'long '.repeat(48).trim();
      const version = (status: 'published' | 'draft', mark: string) =>
        content({
          id: `c_${status}`,
          site: 's_one',
          status,
          name: `${name} ${mark}`,
          fields: { line: { text: name } },
        });
      const readDeparted = (from: Storage) =>
        readRows(
          from,
          MODELS.map((model) => `select '${model}' as model, id from ${model}_departed_keys`).join(' union all '),
        );
      await importRecords(storage, [...RECORDS, version('published', 'a'), version('draft', 'a')]);
      await importRecords(storage, [version('published', 'b'), version('draft', 'b')]);
      const departed = [
        { model: 'published', id: 'c_published' },
        { model: 'preview', id: 'c_draft' },
      ];
      expect(await readDeparted(storage)).toEqual(departed);
      await becomeFirstRelease(storage);
      expect(await readDeparted(await open())).toEqual(departed);
    });

    test('has content counts after an upgrade', async () => {
      const storage = getStorage();
      const later = { publish_at: '2090-01-01T00:00:00+00:00' };
      await importRecords(storage, [...RECORDS, content({ id: 'c_4', site: 's_one', status: 'draft', ...later })]);
      const { no = 0 } = (await storage.read(selectSite('s_one'))) ?? {};
      const readCounts = async (from: Storage) =>
        (await from.read(countContent(no))).map((row) => Object.values(row).join(' ')).sort();
      const counts = ['note draft 0 0 1', 'note draft 0 1 1', 'note published 0 0 1', 'note published 1 0 1'];
      expect(await readCounts(storage)).toEqual(counts);
      await becomeFirstRelease(storage);
      expect(await readCounts(await open())).toEqual(counts);
    });

    test('shows after an upgrade who created each token, if the audit log contains that information', async () => {
      const storage = getStorage();
      const tokens = ['n_of_user', 'n_of_token', 'n_nested', 'n_of_command', 'n_unknown'];
      await storage.transaction(async (transaction) => {
        for (const id of tokens) await transaction.run(insertManagementToken(buildToken(id)));
        const log: readonly [id: string, kind: AuditEntryRow['actor_kind'], actor: string | null][] = [
          ['n_of_user', 'user', 'm_ada'],
          ['n_of_token', 'token', 'n_of_user'],
          ['n_nested', 'token', 'n_of_token'],
          ['n_of_command', 'command', null],
        ];
        for (const [id, kind, actor] of log) await transaction.run(insertAuditEntry(buildCreation(id, kind, actor)));
      });
      await becomeFirstRelease(storage);

      const rows = await readRows(await open(), 'select id, maker_kind, maker_id from management_tokens order by id');
      expect(rows).toEqual([
        { id: 'n_nested', maker_kind: 'user', maker_id: 'm_ada' },
        { id: 'n_of_command', maker_kind: 'command', maker_id: null },
        { id: 'n_of_token', maker_kind: 'user', maker_id: 'm_ada' },
        { id: 'n_of_user', maker_kind: 'user', maker_id: 'm_ada' },
        { id: 'n_unknown', maker_kind: null, maker_id: null },
      ]);
    });
  });
}

function buildToken(id: string): Parameters<typeof insertManagementToken>[0] {
  const maker = { makerKind: 'command', makerId: null } as const;
  const times = { createdAt: 0, expiresAt: null };
  return { id, accountNo: MAIN_ACCOUNT_NO, name: id, role: 'owner', tokenHash: id, prefix: 'gm_', ...times, ...maker };
}

function buildCreation(
  subjectId: string,
  actorKind: AuditEntryRow['actor_kind'],
  actorId: string | null,
): Parameters<typeof insertAuditEntry>[0] {
  const nothing = { address: null, siteId: null, subjectName: null, details: null };
  const actor = { accountNo: MAIN_ACCOUNT_NO, at: 0, actorKind, actorId, actorName: 'Somebody' };
  return { ...actor, ...nothing, action: 'token.create', subjectId };
}

// Content in a database from an earlier release is still available after an upgrade.

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { type AuditEntryRow, insertAuditEntry } from '../../src/storage/accounts/audit-entries.ts';
import { insertManagementToken } from '../../src/storage/accounts/management-tokens.ts';
import { countContent } from '../../src/storage/contents/content-counts.ts';
import { selectCurrentVersion } from '../../src/storage/migrations.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { createTestDatabase, ENGINES } from '../support/test-database.ts';
import { importRecords } from './editor.ts';

const MODELS = ['published', 'preview'] as const;

const LINE = [{ handle: 'line', type: 'text' }];
const LATER = { publish_at: '2090-01-01T00:00:00+00:00' };
const RECORDS = [
  site('s_one'),
  contentType('s_one', 'note', LINE),
  content({ id: 'c_1', site: 's_one', fields: { line: { text: 'Größe' } }, draft: { name: 'newer' } }),
  content({ id: 'c_2', site: 's_one', fields: { line: { text: 'two\nlines' } } }),
  content({ id: 'c_3', site: 's_one', status: 'draft' }),
  content({ id: 'c_4', site: 's_one', status: 'draft', ...LATER }),
];

/** Content whose name is long enough for the earlier sort keys to be stored when the content moves. */
function buildMoved(mark: string): readonly object[] {
  const name = 'long '.repeat(48).trim();
  const version = { site: 's_moved', name: `${name} ${mark}`, fields: { line: { text: name } } };
  return [
    site('s_moved'),
    contentType('s_moved', 'note', LINE),
    ...(['published', 'draft'] as const).map((status) => content({ id: `c_${status}`, status, ...version })),
  ];
}

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

describe.each(ENGINES)('a database from the first release, after an upgrade on %s', (engine) => {
  const resources = new AsyncDisposableStack();
  let before: Shown;
  let after: Shown;
  let upgraded: Storage;

  beforeAll(async () => {
    const database = resources.adopt(await createTestDatabase(engine), (each) => each.remove());
    const open = async () => resources.adopt(await openStorage(database.url, Date.now()), (each) => each.close());
    const storage = await open();
    await importRecords(storage, [...RECORDS, ...buildMoved('a')]);
    await importRecords(storage, buildMoved('b'));
    await storage.transaction(async (transaction) => {
      for (const id of Object.keys(MAKERS)) await transaction.run(insertManagementToken(buildToken(id)));
      for (const [id, made] of Object.entries(MAKERS)) {
        if (made !== undefined) await transaction.run(insertAuditEntry(buildCreation(id, ...made)));
      }
    });
    before = await readShown(storage);
    await storage.transaction(async (transaction) => {
      for (const text of FIRST_RELEASE) await transaction.run(query(defineStatement(() => sql.raw(text))));
    });
    upgraded = await open();
    after = await readShown(upgraded);
  });

  afterAll(() => resources.disposeAsync());

  test('shows the same content', async () => {
    expect(await upgraded.read(selectCurrentVersion())).toBeGreaterThan(1);
    expect(before.bodies).toMatchObject([
      { model: 'preview', id: 'c_1' },
      { model: 'preview', id: 'c_3' },
      { model: 'preview', id: 'c_4' },
      { model: 'preview', id: 'c_draft' },
      { model: 'published', id: 'c_1' },
      { model: 'published', id: 'c_2' },
      { model: 'published', id: 'c_published' },
    ]);
    expect(after.bodies).toEqual(before.bodies);
    for (const model of MODELS) {
      const [row] = await readRows(upgraded, `select * from ${model}_contents limit 1`);
      expect(Object.keys(Object(row))).not.toContain('body');
    }
  });

  test('keeps its generations, so clients and nodes can keep using their caches', async () => {
    const columns = 'generation, catalog, preview_generation, shown_catalog';
    expect(await readRows(upgraded, `select ${columns} from sites order by no`)).toEqual(
      before.sites.map(({ generation, catalog }) => ({
        generation,
        catalog,
        preview_generation: generation,
        shown_catalog: catalog,
      })),
    );
  });

  test('keeps the earlier positions of moved content, separately for published content and previews', () => {
    expect(before.departed).toEqual([
      { model: 'published', id: 'c_published' },
      { model: 'preview', id: 'c_draft' },
    ]);
    expect(after.departed).toEqual(before.departed);
  });

  test('has content counts', () => {
    expect(before.counts).toEqual([
      'note draft 0 0 1',
      'note draft 0 1 1',
      'note published 0 0 1',
      'note published 1 0 1',
    ]);
    expect(after.counts).toEqual(before.counts);
  });

  test('shows who created each token, if the audit log contains that information', async () => {
    expect(await readRows(upgraded, 'select id, maker_kind, maker_id from management_tokens order by id')).toEqual([
      { id: 'n_nested', maker_kind: 'user', maker_id: 'm_ada' },
      { id: 'n_of_command', maker_kind: 'command', maker_id: null },
      { id: 'n_of_token', maker_kind: 'user', maker_id: 'm_ada' },
      { id: 'n_of_user', maker_kind: 'user', maker_id: 'm_ada' },
      { id: 'n_unknown', maker_kind: null, maker_id: null },
    ]);
  });
});

/** Who created each token, according to the audit log. */
const MAKERS: Readonly<Record<string, readonly [kind: AuditEntryRow['actor_kind'], id: string | null] | undefined>> = {
  n_of_user: ['user', 'm_ada'],
  n_of_token: ['token', 'n_of_user'],
  n_nested: ['token', 'n_of_token'],
  n_of_command: ['command', null],
  n_unknown: undefined,
};

interface Shown {
  readonly bodies: readonly unknown[];
  readonly sites: readonly { readonly no: number; readonly generation: number; readonly catalog: number }[];
  readonly departed: readonly unknown[];
  /** Of the first site. */
  readonly counts: readonly string[];
}

async function readShown(storage: Storage): Promise<Shown> {
  const selectBodies = (model: string) =>
    `select '${model}' as model, p.id, b.body from ${model}_contents as p join ${model}_bodies as b on b.content_no = p.content_no`;
  const selectDeparted = (model: string) => `select '${model}' as model, id from ${model}_departed_keys`;
  const sites = await readRows<Shown['sites'][number]>(
    storage,
    'select no, generation, catalog from sites order by no',
  );
  const counted = await storage.read(countContent(sites[0]?.no ?? 0));
  return {
    bodies: await readRows(storage, `${MODELS.map(selectBodies).join(' union all ')} order by model, id`),
    sites,
    departed: await readRows(storage, MODELS.map(selectDeparted).join(' union all ')),
    counts: counted.map((row) => Object.values(row).join(' ')).sort(),
  };
}

function readRows<Row>(storage: Storage, text: string): Promise<readonly Row[]> {
  return storage.read(query<Row>(defineStatement(() => sql.raw(text))));
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

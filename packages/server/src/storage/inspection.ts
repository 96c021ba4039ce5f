// Inspects a database without changing it, even one that this release cannot open: checks whether its tables are consistent, whether
// its stored text is intact, and whether the service can use it.

import { sql } from 'kysely';
import { decodeBody, isWhole } from '../content/body.ts';
import type { Uses, UsingContent } from './contents/content-uses.ts';
import type { ReadModel } from './publication/read-model.ts';
import { selectCatalog, selectSites } from './sites/select-catalog.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from './statement.ts';
import { countLacking, LACKING_SHOWN } from './types/saved-values.ts';

/** A database in a file. */
export interface FileInspection {
  readonly journalMode: string;
  read<Outcome>(procedure: Procedure<Outcome>): Outcome;
  /** The first damage found in the file; undefined if it is intact. */
  findDamage(): string | undefined;
  /** The number of rows that refer to missing rows. */
  countDeadReferences(): number;
  close(): void;
}

/** A database on a server. All reads see it at the same point in time. */
export interface ServerInspection {
  /** Such as `127.0.0.1:5432/galley`. */
  readonly place: string;
  /** Such as `18.4`. */
  readonly serverVersion: string;
  readonly encoding: string;
  /** Whether the database has Galley tables. */
  readonly hasSchema: boolean;
  /** Whether `galley migrate-to` has started to fill the database but has not finished. */
  readonly hasUnfinishedCopy: boolean;
  read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
}

export interface Consistency extends Counts {
  /** Published content that lacks a required value. */
  readonly lacking: Uses;
  /** Content whose stored text for readers or for previews is damaged. */
  readonly damaged: Readonly<Record<ReadModel, DamagedContents>>;
}

interface Counts {
  readonly sites: number;
  /** The id of a deleted site that still has data; null if there is none. */
  readonly unfinished_deletion: string | null;
  readonly contents: number;
  readonly published: number;
  /** Published content that readers cannot see. */
  readonly published_missing: number;
  /** Content that readers can see although it is not published, or of which they see the wrong version. */
  readonly published_extra: number;
  /** Content whose newest version is missing from the previews, or remains there after being published. */
  readonly preview_wrong: number;
  readonly versions_missing: number;
  /** Values in the read models that do not belong to any content there. */
  readonly values_orphaned: number;
  /** Wrong or missing rows in the table of counts. */
  readonly counts_wrong: number;
  readonly schedules_overdue: number;
  readonly owners: number;
  readonly users: number;
  readonly keys_working: number;
}

const VALUE_TABLES = ['published', 'preview'].flatMap((model) =>
  ['bodies', 'texts', 'numbers', 'tokens'].map((name) => ({ model: `${model}_contents`, values: `${model}_${name}` })),
);

const countOrphans = sql.join(
  VALUE_TABLES.map(
    ({ model, values }) => sql`(select count(*) from ${sql.table(values)} as v
      where not exists (select 1 from ${sql.table(model)} as m where m.content_no = v.content_no))`,
  ),
  sql` + `,
);

const kept = sql`select site_no, type_no, status, is_changed, is_scheduled, total from content_counts`;
const counted = sql`select site_no, type_no, status,
    case when published_version is not null and newest_version <> published_version then 1 else 0 end as is_changed,
    case when publish_at is not null or unpublish_at is not null then 1 else 0 end as is_scheduled,
    count(*) as total from contents group by 1, 2, 3, 4, 5`;
const countWrongCounts = sql`(select count(*) from (select * from (${kept}) as k except select * from (${counted}) as c) as extra)
  + (select count(*) from (select * from (${counted}) as c except select * from (${kept}) as k) as missing)`;

const selectCounts = defineStatement(
  () => sql`select
    (select count(*) from sites where deletion is null) as sites,
    (select min(id) from sites where deletion = 'begun') as unfinished_deletion,
    (select count(*) from contents) as contents,
    (select count(*) from published_contents) as published,
    (select count(*) from contents as c where c.status = 'published' and not exists
      (select 1 from published_contents as p join published_bodies as b on b.content_no = p.content_no
        where p.content_no = c.no)) as published_missing,
    (select count(*) from published_contents as p where not exists
      (select 1 from contents as c where c.no = p.content_no and c.status = 'published' and c.published_version is not null
        and c.site_no = p.site_no and c.id = p.id and c.published_at = p.published_at)) as published_extra,
    (select count(*) from contents as c where c.status <> 'archived'
      and (c.published_version is null or c.published_version <> c.newest_version) and not exists
      (select 1 from preview_contents as p join preview_bodies as b on b.content_no = p.content_no
        where p.content_no = c.no))
    + (select count(*) from preview_contents as p where not exists
      (select 1 from contents as c where c.no = p.content_no and c.status <> 'archived'
        and (c.published_version is null or c.published_version <> c.newest_version))) as preview_wrong,
    (select count(*) from contents as c where not exists
      (select 1 from content_versions as v where v.content_no = c.no and v.number = c.newest_version))
    + (select count(*) from contents as c where c.published_version is not null and not exists
      (select 1 from content_versions as v where v.content_no = c.no and v.number = c.published_version)) as versions_missing,
    ${countOrphans} as values_orphaned,
    ${countWrongCounts} as counts_wrong,
    (select count(*) from contents where publish_at is not null and publish_at < ${slot('due')})
    + (select count(*) from contents where unpublish_at is not null and unpublish_at < ${slot('due')}) as schedules_overdue,
    (select count(*) from users where role = 'owner' and suspended_at is null) as owners,
    (select count(*) from users) as users,
    (select count(*) from api_keys where revoked_at is null
      and (expires_at is null or expires_at > ${slot('now')})) as keys_working`,
);

/** @param due schedules with an earlier time are overdue */
export function* selectConsistency(now: number, due: number): Procedure<Consistency> {
  const [counts] = yield* query<Counts>(selectCounts, { now, due });
  if (counts === undefined) throw new Error('The query for the counts returned no rows');
  const damaged = { published: yield* selectDamaged('published'), preview: yield* selectDamaged('preview') };
  return { ...counts, lacking: yield* countAllLacking(), damaged };
}

function* countAllLacking(): Procedure<Uses> {
  let total = 0;
  const contents: UsingContent[] = [];
  for (const { no } of yield* selectSites()) {
    const loaded = yield* selectCatalog(no);
    if (loaded === undefined) continue;
    const lacking = yield* countLacking(loaded.catalog);
    total += lacking.total;
    contents.push(...lacking.contents.slice(0, LACKING_SHOWN - contents.length));
  }
  return { total, contents };
}

export interface DamagedContents {
  readonly total: number;
  /** The ids of the first few objects. */
  readonly ids: readonly string[];
}

interface BodyRow {
  readonly no: number;
  readonly id: string;
  readonly body: string;
}

/** Kept small, because a body can be several megabytes in size. */
const BODIES_AT_ONCE = 50;
const DAMAGED_SHOWN = 20;

const selectBodies: Readonly<Record<ReadModel, Statement>> = {
  published: defineBodies('published'),
  preview: defineBodies('preview'),
};

function defineBodies(model: ReadModel): Statement {
  return defineStatement(
    () => sql`select m.content_no as no, m.id, b.body from ${sql.table(`${model}_bodies`)} as b
      join ${sql.table(`${model}_contents`)} as m on m.content_no = b.content_no
      where b.content_no > ${slot('after')} order by b.content_no limit ${slot('limit')} + 0`,
  );
}

export function* selectDamaged(model: ReadModel): Procedure<DamagedContents> {
  let total = 0;
  const ids: string[] = [];
  let after = 0;
  while (true) {
    const rows = yield* query<BodyRow>(selectBodies[model], { after, limit: BODIES_AT_ONCE });
    for (const { id, body } of rows) {
      if (isWhole(decodeBody(body), id)) continue;
      total += 1;
      if (ids.length < DAMAGED_SHOWN) ids.push(id);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BODIES_AT_ONCE) return { total, ids };
    after = last.no;
  }
}

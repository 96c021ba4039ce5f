// The schema, as a list of migration steps. Released steps never change; new ones are added at the end. A migration is a single write
// transaction. If many processes start at the same time, only one of them migrates.

import { sql } from 'kysely';
import type { ColumnTypes, Engine } from './engine.ts';
import { createFirstSchema } from './migrations/001-first-schema.ts';
import { moveBodiesApart } from './migrations/002-bodies-apart.ts';
import { prepareSiteOverview } from './migrations/003-site-overview.ts';
import { markVersions } from './migrations/004-version-marks.ts';
import { prepareDeletion } from './migrations/005-deletion.ts';
import { createInstallationKey } from './migrations/006-installation-key.ts';
import { nameTokenMakers } from './migrations/007-token-makers.ts';
import { keepIdempotentCalls } from './migrations/008-idempotent-calls.ts';
import { setPreviewsApart } from './migrations/009-previews-apart.ts';
import { keepFailedSchedules } from './migrations/010-failed-schedules.ts';
import { countFilteredLists } from './migrations/011-counted-filters.ts';
import { tellTypesOfAuthors } from './migrations/012-types-of-authors.ts';
import { keepAssetFiles } from './migrations/013-asset-files.ts';
import { keepChanges } from './migrations/014-change-log.ts';
import { keepWebhooks } from './migrations/015-webhooks.ts';
import { keepPreviews } from './migrations/016-previews.ts';
import { sortEndedCalls } from './migrations/017-ended-calls.ts';
import { defineStatement, type Procedure, query, slot } from './statement.ts';

type Migration = (types: ColumnTypes) => readonly string[];

const MIGRATIONS: readonly Migration[] = [
  createFirstSchema,
  moveBodiesApart,
  prepareSiteOverview,
  markVersions,
  prepareDeletion,
  createInstallationKey,
  nameTokenMakers,
  keepIdempotentCalls,
  setPreviewsApart,
  keepFailedSchedules,
  countFilteredLists,
  tellTypesOfAuthors,
  keepAssetFiles,
  keepChanges,
  keepWebhooks,
  keepPreviews,
  sortEndedCalls,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The database was written by a newer release than this one. */
export class SchemaTooNew extends Error {}

const createVersionTable = defineStatement(
  () => sql`create table if not exists schema_versions (version integer primary key, applied_at bigint not null)`,
);
const selectVersion = defineStatement(() => sql`select max(version) as version from schema_versions`);
const insertVersion = defineStatement(
  () => sql`insert into schema_versions (version, applied_at) values (${slot('version')}, ${slot('appliedAt')})`,
);

export async function migrate(
  engine: Pick<Engine, 'read' | 'transaction'>,
  types: ColumnTypes,
  now: number,
): Promise<void> {
  if (await isCurrent(engine)) return;
  await engine.transaction((transaction) => transaction.run(applyMigrations(types, now)));
}

/** If the schema is up to date, nothing is written, so the service or a command can start without waiting for a long import. */
async function isCurrent(engine: Pick<Engine, 'read'>): Promise<boolean> {
  try {
    return (await engine.read(() => selectCurrentVersion())) === SCHEMA_VERSION;
  } catch {
    // A new database has no versions table yet. If this error has a different cause, the migration fails with the same error and reports
    // it.
    return false;
  }
}

export async function checkSchema(engine: Engine): Promise<void> {
  const version = await engine.read(() => selectCurrentVersion());
  if (version !== SCHEMA_VERSION) throw new Error(`The database has schema version ${version}, not ${SCHEMA_VERSION}`);
}

/** 0 if the versions table exists but is empty. */
export function* selectCurrentVersion(): Procedure<number> {
  const [row] = yield* query<{ version: number | null }>(selectVersion);
  return row?.version ?? 0;
}

/** Must run in its own transaction. */
export function* applyMigrations(types: ColumnTypes, now: number): Procedure<void> {
  yield* query(createVersionTable);
  const current = yield* selectCurrentVersion();
  if (current > SCHEMA_VERSION) {
    throw new SchemaTooNew(
      `The database has schema version ${current}; this release supports versions up to ${SCHEMA_VERSION}.`,
    );
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    const version = index + 1;
    if (version <= current) continue;
    for (const text of migration(types)) yield* query(defineStatement(() => sql.raw(text)));
    yield* query(insertVersion, { version, appliedAt: now });
  }
}

// Sites as their owners know them: those of one account, a page at a time.

import { sql } from 'kysely';
import type { Site } from '../../content/catalog.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { isThere, readSite, type SiteRow, siteColumns } from './select-catalog.ts';

export interface SiteRecord extends Site {
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface SiteRecordRow extends SiteRow {
  readonly created_at: number;
  readonly updated_at: number;
}

const columns = sql`${siteColumns}, created_at, updated_at`;
const selectById = defineStatement(
  () => sql`select ${columns} from sites where account_no = ${slot('account')} and id = ${slot('id')} and ${isThere}`,
);
const selectPage = defineStatement(
  () => sql`select ${columns} from sites where account_no = ${slot('account')} and id > ${slot('after')} and ${isThere}
    order by id limit ${slot('limit')} + 0`,
);

/** Undefined also where the site is another account's. */
export function* selectSiteRecord(accountNo: number, id: string): Procedure<SiteRecord | undefined> {
  const [row] = yield* query<SiteRecordRow>(selectById, { account: accountNo, id });
  return row && readRecord(row);
}

/** By id. */
export function* selectSiteRecords(accountNo: number, after: string, limit: number): Procedure<readonly SiteRecord[]> {
  return (yield* query<SiteRecordRow>(selectPage, { account: accountNo, after, limit })).map(readRecord);
}

function readRecord(row: SiteRecordRow): SiteRecord {
  return { ...readSite(row), createdAt: row.created_at, updatedAt: row.updated_at };
}

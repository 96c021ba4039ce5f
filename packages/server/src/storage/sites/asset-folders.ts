// The folders of a site's assets. A folder exists if somebody created it, or if an asset or another folder is in it. Paths are compared
// byte by byte, so the folders inside a folder form a single range.

import { sql } from 'kysely';
import { buildTextKey } from '../../content/text-key.ts';
import { composeText } from '../../content/text-rules.ts';
import { checkTime, defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface FolderCount {
  readonly path: string;
  /** The number of assets directly in the folder, not counting its subfolders. */
  readonly total: number;
}

const countAssets = defineStatement(
  (traits) => sql`select folder as path, count(*) as total from assets
    where ${sql.join([...checkTime(sql.ref('no'), traits), sql`site_no = ${slot('site')}`], sql` and `)}
    group by folder order by folder limit ${slot('limit')} + 0`,
  { mayTakeLong: true },
);
const selectCreated = defineStatement(
  () => sql`select path from asset_folders where site_no = ${slot('site')} order by path limit ${slot('limit')} + 0`,
);
const countCreated = defineStatement(
  () => sql`select count(*) as total from asset_folders where site_no = ${slot('site')}`,
);
const insertFolder = defineStatement(
  () => sql`insert into asset_folders (site_no, path) values (${slot('site')}, ${slot('path')})
    on conflict (site_no, path) do nothing`,
);
const deleteFolder = defineStatement(
  () => sql`delete from asset_folders where site_no = ${slot('site')} and path = ${slot('path')}`,
);
const selectCreatedAt = defineStatement(
  () => sql`select path from asset_folders where site_no = ${slot('site')} and path = ${slot('path')}`,
);
const selectCreatedWithin = defineStatement(
  () => sql`select path from asset_folders
    where site_no = ${slot('site')} and path > ${slot('start')} and path < ${slot('end')} order by path`,
);
const selectUsedAt = defineStatement(
  () => sql`select folder as path from assets where site_no = ${slot('site')} and folder = ${slot('path')} limit 1`,
);
const selectUsedWithin = defineStatement(
  () => sql`select distinct folder as path from assets
    where site_no = ${slot('site')} and folder > ${slot('start')} and folder < ${slot('end')} order by folder`,
);
const moveAssets = defineStatement(
  () => sql`update assets set folder = ${slot('new_path')}, folder_key = ${slot('key')}
    where site_no = ${slot('site')} and folder = ${slot('path')}`,
);

interface FolderRow {
  readonly path: string;
}

/** All folders, sorted, including those that contain only folders. The top level is not a folder. */
export function* selectFolderCounts(siteNo: number, limit: number): Procedure<readonly FolderCount[]> {
  const counts = yield* query<FolderCount>(countAssets, { site: siteNo, limit });
  const created = yield* query<FolderRow>(selectCreated, { site: siteNo, limit });
  const totals = new Map<string, number>();
  for (const { path } of created) totals.set(path, 0);
  for (const { path, total } of counts) totals.set(path, total);
  for (const path of [...totals.keys()]) {
    for (const parent of listParents(path)) if (!totals.has(parent)) totals.set(parent, 0);
  }
  totals.delete('');
  const paths = [...totals.keys()].toSorted(compareFolders).slice(0, limit);
  return paths.map((path) => ({ path, total: totals.get(path) ?? 0 }));
}

/** A folder comes directly before the folders inside it. */
function compareFolders(one: string, other: string): number {
  const names = [one.split('/'), other.split('/')] as const;
  for (const [index, name] of names[0].entries()) {
    const otherName = names[1][index];
    if (otherName === undefined) return 1;
    const keys = [buildTextKey(name), buildTextKey(otherName)] as const;
    if (keys[0] !== keys[1]) return keys[0] < keys[1] ? -1 : 1;
    if (name !== otherName) return name < otherName ? -1 : 1;
  }
  return names[0].length - names[1].length;
}

function listParents(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

export function* countCreatedFolders(siteNo: number): Procedure<number> {
  return (yield* query<{ total: number }>(countCreated, { site: siteNo }))[0]?.total ?? 0;
}

/** Also creates the parent folders, so that they remain when this folder is deleted. */
export function* createFolder(siteNo: number, path: string): Procedure<void> {
  for (const each of [...listParents(path), path]) yield* query(insertFolder, { site: siteNo, path: each });
}

/** The folder should be empty. */
export function* deleteEmptyFolder(siteNo: number, path: string): Procedure<void> {
  yield* query(deleteFolder, { site: siteNo, path });
}

export interface FolderContents {
  /** Whether somebody created the folder itself. */
  readonly isCreated: boolean;
  /** Whether assets are in the folder itself. */
  readonly hasAssets: boolean;
  /** The folders inside it, at any depth, that were created or have assets. */
  readonly folders: readonly string[];
}

/** @returns undefined if there is no such folder */
export function* selectFolder(siteNo: number, path: string): Procedure<FolderContents | undefined> {
  const isCreated = (yield* query(selectCreatedAt, { site: siteNo, path })).length > 0;
  const hasAssets = (yield* query(selectUsedAt, { site: siteNo, path })).length > 0;
  const range = { site: siteNo, start: `${path}/`, end: `${path}${AFTER_SLASH}` };
  const created = yield* query<FolderRow>(selectCreatedWithin, range);
  const used = yield* query<FolderRow>(selectUsedWithin, range);
  const folders = [...new Set([...created, ...used].map((row) => row.path))];
  return isCreated || hasAssets || folders.length > 0 ? { isCreated, hasAssets, folders } : undefined;
}

/**
 * The path as it is stored. Galley composes accents in new names, but the names of older folders may still be decomposed, and must be
 * found in either form. If there is no such folder, the result is the path that a new one would get.
 */
export function* selectFolderPath(siteNo: number, path: string): Procedure<string> {
  let stored = '';
  for (const name of path.split('/')) {
    const parent = stored === '' ? '' : `${stored}/`;
    stored = `${parent}${composeText(name)}`;
    const forms = new Set([name, composeText(name), name.normalize('NFD')]);
    if (forms.size === 1) continue;
    for (const form of forms) {
      if ((yield* selectFolder(siteNo, `${parent}${form}`)) === undefined) continue;
      stored = `${parent}${form}`;
      break;
    }
  }
  return stored;
}

/** The character that comes after `/`. */
const AFTER_SLASH = '0';

/** Moves the assets in one folder to another. If the first was recorded as created, the other is recorded as created too. */
export function* renameFolder(siteNo: number, path: string, newPath: string): Procedure<void> {
  yield* query(moveAssets, { site: siteNo, path, new_path: newPath, key: buildTextKey(newPath) });
  const isCreated = (yield* query(selectCreatedAt, { site: siteNo, path })).length > 0;
  if (!isCreated) return;
  yield* query(deleteFolder, { site: siteNo, path });
  yield* query(insertFolder, { site: siteNo, path: newPath });
}

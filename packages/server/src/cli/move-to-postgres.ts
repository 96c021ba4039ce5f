import { resolve } from 'node:path';
import { type CopySource, LEFT_BEHIND, type Snapshot, selectCopySource, selectLastEdit } from '../storage/port.ts';
import { copyIntoPostgres, countCopiedRows, inspectCopyTarget } from '../storage/postgres/copy-into-postgres.ts';
import { CommandFailure } from './command-failure.ts';
import { readServiceSettings } from './read-service-settings.ts';
import { startProgress } from './start-progress.ts';
import { openAndRun, refuseMissingDatabase } from './with-storage.ts';

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /** Undefined in a dry run. */
  readonly digest?: string;
}

export interface MoveSummary {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly MovedTable[];
  readonly leftBehind: readonly string[];
  /** The rows that an earlier run had left there. */
  readonly foundRows: number;
  /** Whether the source was edited while it was copied: such edits are not in the copy. */
  readonly isEditedSince: boolean;
}

export interface MoveRequest {
  readonly url: string;
  readonly isDryRun: boolean;
  readonly now: number;
}

export async function moveToPostgres(request: MoveRequest): Promise<MoveSummary> {
  const { databaseUrl } = readServiceSettings();
  if (databaseUrl.engine === 'postgres') {
    throw new CommandFailure(
      'The database of the settings is PostgreSQL already. Copies between servers are made with pg_dump and pg_restore.',
    );
  }
  refuseMissingDatabase(databaseUrl);
  const { path } = databaseUrl;
  return openAndRun(databaseUrl, async (storage) => {
    const { lastEdit, ...made } = await storage.snapshot(async (source) => {
      const origin = await source.run(selectCopySource(resolve(path)));
      const outcome = await (request.isDryRun ? plan(source, origin, request) : copy(source, origin, request));
      return { ...outcome, lastEdit: await source.run(selectLastEdit()) };
    });
    const isEditedSince = (await storage.read(selectLastEdit())) !== lastEdit;
    return { from: path, leftBehind: LEFT_BEHIND, isEditedSince, ...made };
  });
}

type Outcome = Pick<MoveSummary, 'to' | 'tables' | 'foundRows'>;

async function plan(source: Snapshot, origin: CopySource, { url }: MoveRequest): Promise<Outcome> {
  const { place, foundRows } = await inspectCopyTarget(url, origin);
  return { to: place, foundRows, tables: await countCopiedRows(source) };
}

async function copy(source: Snapshot, origin: CopySource, { url, now }: MoveRequest): Promise<Outcome> {
  const planned = await countCopiedRows(source);
  const rows = planned.reduce((sum, table) => sum + table.rows, 0);
  const progress = startProgress(new URL(url).pathname, 2 * rows);
  try {
    const { place, ...copied } = await copyIntoPostgres(source, origin, url, { now, onProgress: progress.move });
    return { to: place, ...copied };
  } finally {
    progress.end();
  }
}

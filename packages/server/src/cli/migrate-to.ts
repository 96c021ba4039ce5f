import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatBytes } from '../doctor/check.ts';
import type { AssetsLocation } from '../files/assets-url.ts';
import type { CopiedFiles } from '../files/copy-files.ts';
import { PROGRAM } from '../program-name.ts';
import { parseDatabaseUrl } from '../settings/parse-setting.ts';
import type { Settings } from '../settings.ts';
import type { CopySource } from '../storage/copied-tables.ts';
import type { Snapshot } from '../storage/engine.ts';
import { CommandFailure } from './command-failure.ts';
import { checkTarget, countFiles, describeCopied, describeLost, parseStore, refuseSameStore } from './file-copies.ts';
import { addExamples } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { printJson, printPainted, renderTable } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';

interface MigrateToFlags {
  readonly assetsTo?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function defineMigrateTo(program: Command): void {
  const command = program
    .command('migrate-to')
    .summary('copy the embedded database to PostgreSQL')
    .description(
      'Copies the embedded database to an empty PostgreSQL database: all sites, content with its versions and schedules, ' +
        'users, keys, tokens and the audit log. The service can keep running: the copy is a consistent snapshot. Every ' +
        'table is compared with the original before a service can open the copy. If the command is interrupted, ' +
        'run it again to resume. Sessions are not copied, so people must sign in again. With --assets-to, the ' +
        'uploaded files are copied too, before the database; each is checked against its SHA-256.',
    )
    .argument('<url>', 'postgres://USER@HOST:PORT/DATABASE; the password can be in the URL or in PGPASSWORD')
    .option('--assets-to <url>', 'copy the uploaded files to this store: s3://BUCKET/PREFIX or file:PATH')
    .option('--dry-run', 'check both databases and show what would be copied, without writing anything')
    .option('--json', 'print a summary as JSON')
    .action(runMigrateTo);
  addExamples(command, [
    ['Check first', `${PROGRAM} migrate-to --dry-run postgres://galley@db.example/galley`],
    ['Copy the uploaded files too', `${PROGRAM} migrate-to postgres://db/galley --assets-to s3://my-files`],
    ['Copy, with the password from the environment', `PGPASSWORD=… ${PROGRAM} migrate-to postgres://galley@db/galley`],
  ]);
}

async function runMigrateTo(text: string, flags: MigrateToFlags, command: Command): Promise<void> {
  const target = parseDatabaseUrl(text);
  // Do not print the given URL: it may contain a password.
  if (target?.engine !== 'postgres') {
    return command.error('error: the target must look like postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  }
  const isDryRun = flags.dryRun === true;
  const assetsTo = flags.assetsTo === undefined ? undefined : parseStore(command, '--assets-to', flags.assetsTo);
  const summary = await moveToPostgres({ url: target.url, isDryRun, now: Date.now(), assetsTo });
  if (flags.json) return printJson(describeSummary(summary, isDryRun));
  printPainted(isDryRun ? renderPlan(summary) : renderCopy(summary));
}

interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /** Undefined in a dry run. */
  readonly digest?: string;
}

interface MoveSummary {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly MovedTable[];
  readonly leftBehind: readonly string[];
  /** Rows that an earlier run copied. */
  readonly foundRows: number;
  /** Whether the source was edited during the copy; the copy does not contain those edits. */
  readonly isEditedSince: boolean;
  readonly assets: MovedAssets;
}

interface MovedAssets {
  readonly from: string;
  /** Undefined if the files stay where they are. */
  readonly to: string | undefined;
  /** The number of files that the database refers to. */
  readonly total: number;
  readonly copied: CopiedFiles | undefined;
}

interface MoveRequest {
  readonly url: string;
  readonly isDryRun: boolean;
  readonly now: number;
  readonly assetsTo: AssetsLocation | undefined;
}

async function moveToPostgres(request: MoveRequest): Promise<MoveSummary> {
  const { inspectCopyTarget, LEFT_BEHIND, openAndRun, refuseMissingDatabase, selectCopySource, selectLastEdit } =
    await import('./work.ts');
  const settings = readServiceSettings();
  const { databaseUrl } = settings;
  if (databaseUrl.engine === 'postgres') {
    throw new CommandFailure(
      'GALLEY_DATABASE_URL already refers to a PostgreSQL database. To copy between servers, use pg_dump and pg_restore.',
    );
  }
  refuseMissingDatabase(databaseUrl);
  const { path } = databaseUrl;
  if (request.assetsTo !== undefined) refuseSameStore(settings.assetsUrl, request.assetsTo);
  return openAndRun(databaseUrl, async (storage) => {
    const { lastEdit, ...made } = await storage.snapshot(async (source) => {
      const origin = await source.run(selectCopySource(resolve(path)));
      // Fails before any file is copied if the target cannot be used.
      if (request.assetsTo !== undefined) await inspectCopyTarget(request.url, origin);
      const assets = await moveAssets(source, settings, request);
      const outcome = await (request.isDryRun ? plan(source, origin, request) : copy(source, origin, request));
      return { ...outcome, assets, lastEdit: await source.run(selectLastEdit()) };
    });
    const isEditedSince = (await storage.read(selectLastEdit())) !== lastEdit;
    return { from: path, leftBehind: LEFT_BEHIND, isEditedSince, ...made };
  });
}

async function moveAssets(
  source: Snapshot,
  { assetsUrl, assetsKeepDays }: Settings,
  { assetsTo, isDryRun }: MoveRequest,
): Promise<MovedAssets> {
  const { copyFiles, countRecordedFiles, findOldestRestorable, listNeeded, openFileStore, startProgress } =
    await import('./work.ts');
  const total = await source.run(countRecordedFiles());
  const from = await openFileStore(assetsUrl, { isOnlyInspected: true });
  if (assetsTo === undefined) {
    await from.close();
    return { from: from.address, to: undefined, total, copied: undefined };
  }
  const to = await openFileStore(assetsTo, { isOnlyInspected: isDryRun });
  const progress = startProgress(to.address, total);
  try {
    await checkTarget(assetsTo, to, isDryRun);
    const since = findOldestRestorable(Date.now(), assetsKeepDays);
    const files = listNeeded((procedure) => source.run(procedure), since);
    const copied = await copyFiles(from, to, files, { isDryRun, onProgress: progress.move });
    const lost = describeLost(copied, from.address);
    if (lost !== undefined) {
      throw new CommandFailure(
        `${lost}\nThe database was not copied. Run ${PROGRAM} doctor, which lists the assets, and replace these files first.`,
      );
    }
    return { from: from.address, to: to.address, total, copied };
  } finally {
    progress.end();
    await from.close();
    await to.close();
  }
}

type Outcome = Pick<MoveSummary, 'to' | 'tables' | 'foundRows'>;

async function plan(source: Snapshot, origin: CopySource, { url }: MoveRequest): Promise<Outcome> {
  const { countCopiedRows, inspectCopyTarget } = await import('./work.ts');
  const { place, foundRows } = await inspectCopyTarget(url, origin);
  return { to: place, foundRows, tables: await countCopiedRows(source) };
}

async function copy(source: Snapshot, origin: CopySource, { url, now }: MoveRequest): Promise<Outcome> {
  const { copyIntoPostgres, countCopiedRows, startProgress } = await import('./work.ts');
  const rows = countRows(await countCopiedRows(source));
  const progress = startProgress(new URL(url).pathname, 2 * rows);
  try {
    const { place, ...copied } = await copyIntoPostgres(source, origin, url, { now, onProgress: progress.move });
    return { to: place, ...copied };
  } finally {
    progress.end();
  }
}

function describeSummary(summary: MoveSummary, isDryRun: boolean) {
  const { from, to, tables, leftBehind, foundRows, isEditedSince, assets } = summary;
  return {
    dry_run: isDryRun,
    from,
    to,
    rows: countRows(tables),
    found_rows: foundRows,
    tables: tables.map(({ table, rows, digest }) => ({ table, rows, ...(digest !== undefined && { sha256: digest }) })),
    left_behind: leftBehind,
    edited_since: isEditedSince,
    assets: { from: assets.from, to: assets.to ?? null, ...(assets.copied && describeCopied(assets.copied)) },
  };
}

function renderPlan({ from, to, tables, foundRows, assets }: MoveSummary): string {
  const lines = [`${from} can be copied to ${to}: ${countRows(tables)} rows. Nothing was written.`];
  if (foundRows > 0) lines.push(`It contains an unfinished copy with ${foundRows} rows, which would be resumed.`);
  if (assets.copied !== undefined) {
    const { copied, copiedBytes } = assets.copied;
    lines.push(
      `${countFiles(copied)} (${formatBytes(copiedBytes)}) would be copied from ${assets.from} to ${assets.to}.`,
    );
  }
  const table = { headings: ['TABLE', 'ROWS'], rows: tables.map(({ table: name, rows }) => [name, String(rows)]) };
  return [...lines.map(cleanText), '', renderTable(table, process.stdout.columns, createPaint(process.stdout))].join(
    '\n',
  );
}

function renderCopy({ from, to, tables, foundRows, isEditedSince, assets }: MoveSummary): string {
  const found = foundRows === 0 ? '' : ` (${foundRows} of them in an earlier run)`;
  const lines = [
    `Copied ${from} to ${to}: ${countRows(tables)} rows${found} in ${tables.length} tables, each compared with the original.`,
    'Sessions were not copied, so people must sign in again.',
  ];
  if (isEditedSince) {
    lines.push(`${from} was edited during the copy. Those edits are not in the copy.`);
  }
  lines.push(...renderAssets(assets));
  const settings = assets.to === undefined ? 'GALLEY_DATABASE_URL' : 'GALLEY_DATABASE_URL and GALLEY_ASSETS_URL';
  lines.push(
    `To use the copy, set ${settings} to the new URL${assets.to === undefined ? '' : 's'} and restart the service.`,
  );
  return lines.map(cleanText).join('\n');
}

function renderAssets({ from, to, total, copied }: MovedAssets): readonly string[] {
  if (copied !== undefined) {
    const found = copied.files === copied.copied ? '' : `; it already had ${countFiles(copied.files - copied.copied)}`;
    return [`Copied ${countFiles(copied.copied)} (${formatBytes(copied.copiedBytes)}) from ${from} to ${to}${found}.`];
  }
  if (total === 0) return [];
  return [`The uploaded files stay in ${from}. Nodes on other machines need them too: use --assets-to to copy them.`];
}

function countRows(tables: readonly MovedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

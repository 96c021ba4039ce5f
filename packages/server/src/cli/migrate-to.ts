import { resolve } from 'node:path';
import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { parseDatabaseUrl } from '../settings/parse-setting.ts';
import type { CopySource } from '../storage/copied-tables.ts';
import type { Snapshot } from '../storage/engine.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { printJson, printPainted, renderTable } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';

interface MigrateToFlags {
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
        'table is compared with the original before a service can open the copy. If interrupted, run it again to ' +
        'resume. Sessions are not copied, so people must sign in again.',
    )
    .argument('<url>', 'postgres://USER@HOST:PORT/DATABASE; the password can be in the URL or in PGPASSWORD')
    .option('--dry-run', 'check both databases and show what would be copied, without writing anything')
    .option('--json', 'print a summary as JSON')
    .action(runMigrateTo);
  addExamples(command, [
    ['Check first', `${PROGRAM} migrate-to --dry-run postgres://galley@db.example/galley`],
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
  const summary = await moveToPostgres({ url: target.url, isDryRun, now: Date.now() });
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
}

interface MoveRequest {
  readonly url: string;
  readonly isDryRun: boolean;
  readonly now: number;
}

async function moveToPostgres(request: MoveRequest): Promise<MoveSummary> {
  const { LEFT_BEHIND, openAndRun, refuseMissingDatabase, selectCopySource, selectLastEdit } = await import(
    './work.ts'
  );
  const { databaseUrl } = readServiceSettings();
  if (databaseUrl.engine === 'postgres') {
    throw new CommandFailure(
      'GALLEY_DATABASE_URL is already a PostgreSQL database. To copy between servers, use pg_dump and pg_restore.',
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

function describeSummary({ from, to, tables, leftBehind, foundRows, isEditedSince }: MoveSummary, isDryRun: boolean) {
  return {
    dry_run: isDryRun,
    from,
    to,
    rows: countRows(tables),
    found_rows: foundRows,
    tables: tables.map(({ table, rows, digest }) => ({ table, rows, ...(digest !== undefined && { sha256: digest }) })),
    left_behind: leftBehind,
    edited_since: isEditedSince,
  };
}

function renderPlan({ from, to, tables, foundRows }: MoveSummary): string {
  const lines = [`${from} can be copied to ${to}: ${countRows(tables)} rows. Nothing was written.`];
  if (foundRows > 0) lines.push(`It contains an unfinished copy with ${foundRows} rows, which would be resumed.`);
  const table = { headings: ['TABLE', 'ROWS'], rows: tables.map(({ table: name, rows }) => [name, String(rows)]) };
  return [...lines.map(cleanText), '', renderTable(table, process.stdout.columns, createPaint(process.stdout))].join(
    '\n',
  );
}

function renderCopy({ from, to, tables, foundRows, isEditedSince }: MoveSummary): string {
  const found = foundRows === 0 ? '' : ` (${foundRows} of them in an earlier run)`;
  const lines = [
    `Copied ${from} to ${to}: ${countRows(tables)} rows${found} in ${tables.length} tables, each compared with the original.`,
    'Sessions were not copied, so people must sign in again.',
  ];
  if (isEditedSince) {
    lines.push(`${from} was edited during the copy. Those edits are not in the copy.`);
  }
  lines.push('To use the copy, set GALLEY_DATABASE_URL to its URL and restart the service.');
  return lines.map(cleanText).join('\n');
}

function countRows(tables: readonly MovedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

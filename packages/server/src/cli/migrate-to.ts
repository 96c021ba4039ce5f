import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { parseDatabaseUrl } from '../settings/parse-setting.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import type { MovedTable, MoveSummary } from './move-to-postgres.ts';
import { cleanText, createPaint } from './paint.ts';
import { printJson, printPainted } from './print-result.ts';
import { renderTable } from './table.ts';

interface MigrateToFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

export function defineMigrateTo(program: Command): void {
  const command = program
    .command('migrate-to')
    .summary('copy the embedded database into PostgreSQL')
    .description(
      'Copies the embedded database into an empty PostgreSQL database: one moment of it, all sites, content with its ' +
        'versions and schedules, users, keys, tokens and the audit log, while the service goes on. Every table is ' +
        'compared with the original before a service can open the copy. What is broken off goes on where it stopped ' +
        'when it is started again. Sessions are not copied: people sign in again.',
    )
    .argument('<url>', 'postgres://USER@HOST:PORT/DATABASE; a password may stand in it, or in PGPASSWORD')
    .option('--dry-run', 'look at both databases and say what would be copied, but write nothing')
    .option('--json', 'print a summary as JSON')
    .action(runMigrateTo);
  addExamples(command, [
    ['Look first', `${PROGRAM} migrate-to --dry-run postgres://galley@db.example/galley`],
    ['Copy, with the password from the environment', `PGPASSWORD=… ${PROGRAM} migrate-to postgres://galley@db/galley`],
  ]);
}

async function runMigrateTo(text: string, flags: MigrateToFlags, command: Command): Promise<void> {
  const target = parseDatabaseUrl(text);
  // What was given is not shown: it may hold a password.
  if (target?.engine !== 'postgres') {
    return command.error('error: the target must look like postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  }
  const isDryRun = flags.dryRun === true;
  const { moveToPostgres } = await loadWork();
  const summary = await moveToPostgres({ url: target.url, isDryRun, now: Date.now() });
  if (flags.json) return printJson(describeSummary(summary, isDryRun));
  printPainted(isDryRun ? renderPlan(summary) : renderCopy(summary));
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
  if (foundRows > 0) lines.push(`An unfinished copy is there, with ${foundRows} rows; it would be gone on with.`);
  const table = { headings: ['TABLE', 'ROWS'], rows: tables.map(({ table: name, rows }) => [name, String(rows)]) };
  return [...lines.map(cleanText), '', renderTable(table, process.stdout.columns, createPaint(process.stdout))].join(
    '\n',
  );
}

function renderCopy({ from, to, tables, foundRows, isEditedSince }: MoveSummary): string {
  const found = foundRows === 0 ? '' : ` (${foundRows} of them by an earlier run)`;
  const lines = [
    `Copied ${from} to ${to}: ${countRows(tables)} rows${found} in ${tables.length} tables, each compared with the original.`,
    'Sessions were left behind: people sign in again.',
  ];
  if (isEditedSince) {
    lines.push(`${from} was edited meanwhile. Those edits are not in the copy.`);
  }
  lines.push('To serve it, set GALLEY_DATABASE_URL to its address and start the service again.');
  return lines.map(cleanText).join('\n');
}

function countRows(tables: readonly MovedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

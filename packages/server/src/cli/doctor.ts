import type { Command } from 'commander';
import { CHECK_GROUPS, type Check, type CheckStatus, formatBytes } from '../doctor/check.ts';
import type { Removable } from '../doctor/check-files.ts';
import type { Examination } from '../doctor/examine.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { cleanText, createPaint, type Paint } from './paint.ts';
import { printJson, printPainted } from './print-result.ts';
import { readEnvironment, readServiceSettings } from './read-service-settings.ts';

interface DoctorFlags {
  readonly fix?: true;
  readonly json?: true;
}

export function defineDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .summary('check the settings, the database, the content and the uploaded files')
    .description(
      'Checks the settings, Node.js, the database, its content and the uploaded files, and suggests a fix for each ' +
        'problem. Without --fix, it changes nothing. It can run while the service is running. The exit status is 1 if ' +
        'there is a problem; warnings do not affect it.',
    )
    .option('--fix', 'delete stored files that no asset needs, and the parts of abandoned uploads')
    .option('--json', 'print all checks as JSON')
    .action(runDoctor);
  addExamples(command, [
    ['After installing, or before upgrading', `${PROGRAM} doctor`],
    ['Check a backup', `GALLEY_DATABASE_URL=sqlite:backups/2026-11-15.db ${PROGRAM} doctor`],
  ]);
}

async function runDoctor(flags: DoctorFlags): Promise<void> {
  // Fails if the .env file cannot be read.
  readEnvironment();
  const { examine } = await import('./work.ts');
  const first = await examine(Date.now());
  const removed = flags.fix ? await fix(first) : undefined;
  const { checks } = removed === undefined ? first : await examine(Date.now());
  const problems = count(checks, 'problem');
  const status = problems !== undefined ? 'problem' : count(checks, 'warning') === undefined ? 'ok' : 'warning';
  if (flags.json) printJson({ status, checks, ...(removed !== undefined && { removed: describeRemoved(removed) }) });
  else printPainted(renderChecks(checks, removed, createPaint(process.stdout)));
  if (problems !== undefined) throw new CommandFailure(`The doctor found ${problems}.`);
}

/** Returns undefined if the files could not be compared with the database. The checks then say why. */
async function fix({ removable, isBackup }: Examination): Promise<Removable | undefined> {
  if (isBackup) {
    throw new CommandFailure(
      'GALLEY_DATABASE_URL refers to a backup that no service has opened, so nothing was deleted: files added since the backup would look unused. ' +
        'Start the service with this database first, or run the command on the database that is in use.',
    );
  }
  if (removable === undefined) return undefined;
  const { findVariantPrefix, nameInstallation, openAndRun, openFileStore, sweepFiles } = await import('./work.ts');
  const { assetsUrl, assetsKeepDays: keepDays, databaseUrl } = readServiceSettings();
  const store = await openFileStore(assetsUrl);
  try {
    const onRemoved = async (sha256: string): Promise<void> => {
      await store.derived?.remove(findVariantPrefix(sha256));
    };
    return await openAndRun(databaseUrl, async (storage) => {
      await store.writeOwner(nameInstallation(storage));
      return sweepFiles({ storage, store, now: Date.now(), keepDays, onRemoved });
    });
  } finally {
    await store.close();
  }
}

function describeRemoved({ files, bytes, leftOvers }: Removable) {
  return { files, bytes, unfinished_uploads: leftOvers };
}

/** Renders the checks in groups. Each check has a mark before it and advice below it. */
function renderChecks(checks: readonly Check[], removed: Removable | undefined, paint: Paint): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const sections = CHECK_GROUPS.map((group) => {
    const lines = checks.filter((check) => check.group === group).flatMap((check) => renderCheck(check, width, paint));
    return lines.length === 0 ? [] : [paint('title', group), ...lines];
  });
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  const deleted =
    removed === undefined
      ? []
      : [
          `Deleted: ${removed.files} unused files (${formatBytes(removed.bytes)}) and ${removed.leftOvers} parts of abandoned uploads.`,
        ];
  return [...text, ...deleted, renderVerdict(checks, paint)].join('\n\n');
}

function renderCheck({ name, status, message, advice }: Check, width: number, paint: Paint): readonly string[] {
  const line = `  ${renderMark(status, paint)} ${name.padEnd(width)}  ${cleanText(message)}`;
  return advice === null ? [line] : [line, `    ${' '.repeat(width)}  ${paint('dim', cleanText(advice))}`];
}

function renderMark(status: CheckStatus, paint: Paint): string {
  if (status === 'ok') return paint('dim', '✓');
  return status === 'warning' ? paint('yellow', '!') : paint('red', '✗');
}

function renderVerdict(checks: readonly Check[], paint: Paint): string {
  const problems = count(checks, 'problem');
  const warnings = count(checks, 'warning');
  if (problems === undefined && warnings === undefined) return 'No problems found.';
  const parts = [problems && paint('red', problems), warnings && paint('yellow', warnings)];
  return `${parts.filter((part) => part !== undefined).join(', ')}.`;
}

/** `2 problems`, or undefined if there are none. */
function count(checks: readonly Check[], status: CheckStatus): string | undefined {
  const number = checks.filter((check) => check.status === status).length;
  return number === 0 ? undefined : `${number} ${status}${number === 1 ? '' : 's'}`;
}

import type { Command } from 'commander';
import { formatBytes } from '../doctor/format-bytes.ts';
import { PROGRAM } from '../program-name.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { printJson, printText } from './print-result.ts';

interface BackupFlags {
  readonly force?: true;
  readonly json?: true;
}

export function defineBackup(program: Command): void {
  const command = program
    .command('backup')
    .summary('copy the embedded database while it serves')
    .description(
      'Copies the embedded database into a file: one moment of it, all sites, users, keys and versions, while the ' +
        'service goes on reading and writing. The copy is checked before it gets its name. To go back to it, stop the ' +
        'service, put the file in the place of the database, and remove the files beside it that end in -wal and -shm.',
    )
    .argument('<file>', 'where to; written beside it first, so that a file of that name is always whole')
    .option('--force', 'replace the file if it is there')
    .option('--json', 'print a summary as JSON')
    .action(runBackup);
  addExamples(command, [
    ['A backup of today', `${PROGRAM} backup backups/$(date +%F).db`],
    ['Check it', `GALLEY_DATABASE_URL=sqlite:backups/2026-11-15.db ${PROGRAM} doctor`],
  ]);
}

async function runBackup(file: string, flags: BackupFlags, command: Command): Promise<void> {
  if (file === '') command.error('error: name a file');
  const { backUp } = await loadWork();
  const { database, bytes } = await backUp(file, flags.force === true);
  if (flags.json) return printJson({ file, database, bytes });
  printText(`Backed up ${database} to ${file}: ${formatBytes(bytes)}.`);
}

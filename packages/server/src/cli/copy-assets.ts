import type { Command } from 'commander';
import { formatBytes } from '../doctor/check.ts';
import type { CopiedFiles } from '../files/copy-files.ts';
import type { FileStore } from '../files/file-store.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { checkTarget, countFiles, describeCopied, describeLost, parseStore, refuseSameStore } from './file-copies.ts';
import type { FileRecords, NeededFiles } from './file-records.ts';
import { addExamples } from './help-text.ts';
import { printJson, printText } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';

interface CopyAssetsFlags {
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function defineCopyAssets(program: Command): void {
  const command = program
    .command('copy-assets')
    .summary('copy the uploaded files to another store, or from a backup')
    .description(
      'Copies the uploaded files that the database refers to from one store to another, and checks each against its ' +
        'SHA-256. It skips files that the target already has, so you can run it again to resume it, or to copy only ' +
        'new files. The service can keep running. --from and --to default to GALLEY_ASSETS_URL.',
    )
    .option('--from <url>', 'the store to copy from: file:PATH or s3://BUCKET/PREFIX')
    .option('--to <url>', 'the store to copy to: file:PATH or s3://BUCKET/PREFIX')
    .option('--dry-run', 'count the files that would be copied, without writing anything')
    .option('--json', 'print a summary as JSON')
    .action(runCopyAssets);
  addExamples(command, [
    ['Move the files to a bucket', `${PROGRAM} copy-assets --to 's3://my-bucket/galley?region=eu-central-1'`],
    ['Restore missing files from a backup', `${PROGRAM} copy-assets --from file:backups/2026-11-15/assets`],
  ]);
}

async function runCopyAssets(flags: CopyAssetsFlags, command: Command): Promise<void> {
  if (flags.from === undefined && flags.to === undefined) command.error('error: --from or --to is missing');
  const { copyFiles, findOldestRestorable, openFileStore, readFileRecords, refuseMissingDatabase, startProgress } =
    await import('./work.ts');
  const { assetsUrl, assetsKeepDays, databaseUrl } = readServiceSettings();
  const from = flags.from === undefined ? assetsUrl : parseStore(command, '--from', flags.from);
  const to = flags.to === undefined ? assetsUrl : parseStore(command, '--to', flags.to);
  refuseSameStore(from, to);
  refuseMissingDatabase(databaseUrl);
  const isDryRun = flags.dryRun === true;
  await using stores = new AsyncDisposableStack();
  const open = async (...given: Parameters<typeof openFileStore>): Promise<FileStore> =>
    stores.adopt(await openFileStore(...given), (store) => store.close());
  const source = await open(from, { isOnlyInspected: true });
  const target = await open(to, { isOnlyInspected: isDryRun });
  await checkTarget(to, target, isDryRun);
  const needed: NeededFiles = { databaseUrl, since: findOldestRestorable(Date.now(), assetsKeepDays) };
  const copied = await readFileRecords(needed, async ({ files, total }: FileRecords) => {
    const progress = startProgress(target.address, total);
    try {
      return await copyFiles(source, target, files, { isDryRun, onProgress: progress.move });
    } finally {
      progress.end();
    }
  });
  const places = { from: source.address, to: target.address };
  if (flags.json) printJson({ dry_run: isDryRun, ...places, ...describeCopied(copied) });
  else printText(renderSummary(copied, places, isDryRun));
  const lost = describeLost(copied, source.address);
  if (lost !== undefined) throw new CommandFailure(lost);
}

interface Places {
  readonly from: string;
  readonly to: string;
}

function renderSummary({ files, copied, copiedBytes }: CopiedFiles, { from, to }: Places, isDryRun: boolean): string {
  const amount = `${countFiles(copied)} (${formatBytes(copiedBytes)})`;
  const found = files === copied ? '' : ` ${to} already has ${countFiles(files - copied)}.`;
  if (isDryRun) return `${amount} would be copied from ${from} to ${to}.${found} Nothing was written.`;
  return `Copied ${amount} from ${from} to ${to}.${found}`;
}

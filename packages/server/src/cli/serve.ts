import cluster from 'node:cluster';
import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import type { Settings } from '../settings.ts';
import { endWithNpm } from './end-with-npm.ts';
import { addExamples } from './help-text.ts';
import { hostOption, wholeNumberOption } from './parse-option.ts';
import { readServiceSettings } from './read-service-settings.ts';

interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly workers: number;
}

const MOST_WORKERS = 256;

export function defineServe(program: Command): void {
  const command = program
    .command('serve')
    .summary('run the service')
    .description(
      'Runs the service until it is stopped. If the database is empty, it first creates a demo site ' +
        'and prints how to read it, unless GALLEY_DEMO=false.',
    )
    .option(
      '--port <n>',
      'the port; 0 picks a free one (default: GALLEY_PORT, else 3000)',
      wholeNumberOption(0, 65_535),
    )
    .option('--host <host>', 'the address to listen on (default: GALLEY_HOST, else 127.0.0.1)', hostOption)
    .option('--workers <n>', 'number of processes that share the port', wholeNumberOption(1, MOST_WORKERS), 1)
    .action(runServe);
  addExamples(command, [
    ['On this machine, at http://127.0.0.1:3000', `${PROGRAM} serve`],
    ['On all addresses, with four processes', `${PROGRAM} serve --host 0.0.0.0 --workers 4`],
  ]);
}

async function runServe({ port, host, workers }: ServeFlags): Promise<void> {
  const settings = readServiceSettings({
    ...(port === undefined ? {} : { GALLEY_PORT: String(port) }),
    ...(host === undefined ? {} : { GALLEY_HOST: host }),
  });
  // Workers stop with the process that started them.
  if (cluster.isPrimary) endWithNpm();
  const serve = await loadServe(workers);
  await serve(settings);
}

/** Loads the HTTP server here, because commands that do not need it start faster without it. */
async function loadServe(workers: number): Promise<(settings: Settings) => Promise<void>> {
  if (cluster.isWorker) return (await import('./serve-as-worker.ts')).serveAsWorker;
  if (workers === 1) return (await import('./serve-alone.ts')).serveAlone;
  const { serveWithWorkers } = await import('./serve-with-workers.ts');
  return (settings) => serveWithWorkers(settings, workers);
}

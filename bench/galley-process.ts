// Runs the `galley` command as in production: in a separate process, with only the settings given here.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ProcessUsage, readUsage } from './process-usage.ts';
import type { Scratch } from './scratch.ts';

const PROGRAM = join(import.meta.dirname, '../packages/server/bin/galley.js');
const FOREIGN_SETTING = /^(GALLEY_.*|PORT|HOST|DATABASE_URL|NODE_OPTIONS)$/;
const TROUBLE = /"level":"(warn|error|fatal)"/;
const SAMPLE_MS = 100;

export interface CommandOutcome {
  readonly output: string;
  readonly seconds: number;
  /** The resources that the process had used, measured shortly before it ended. */
  readonly usage: ProcessUsage | undefined;
}

export interface RunningGalley {
  /** `http://HOST:PORT` */
  readonly origin: string;
  readonly pid: number | undefined;
  readonly stop: () => Promise<void>;
}

export async function runGalley(
  scratch: Scratch,
  databaseUrl: string,
  args: readonly string[],
): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const child = spawnGalley(scratch, databaseUrl, args);
  let usage = readUsage(child.pid);
  const sampling = setInterval(() => {
    usage = readUsage(child.pid) ?? usage;
  }, SAMPLE_MS);
  const output: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const errors = collectErrors(child.stderr);
  const [status] = await once(child, 'close');
  clearInterval(sampling);
  if (status !== 0) throw new Error(`galley ${args.join(' ')} failed: ${errors()}`);
  return { output: output.join(''), seconds: (performance.now() - startedAt) / 1000, usage };
}

/** @param settings the settings to use in addition to the database */
export async function startGalley(
  scratch: Scratch,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningGalley> {
  const child = spawnGalley(scratch, databaseUrl, ['serve', '--port', '0'], settings);
  const errors = collectErrors(child.stderr);
  const lines = createInterface({ input: child.stdout });
  const origin = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const address = readListeningAddress(line);
      if (address !== undefined) resolve(address);
      // The log contains more details about an error than the response does.
      if (TROUBLE.test(line)) process.stderr.write(`${line}\n`);
    });
    child.once('exit', () => reject(new Error(`galley serve exited before it was listening: ${errors()}`)));
  });
  return {
    origin,
    pid: child.pid,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function spawnGalley(
  scratch: Scratch,
  databaseUrl: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN_SETTING.test(name));
  return scratch.adopt(
    spawn(process.execPath, [PROGRAM, ...args], {
      // A folder without a settings file.
      cwd: scratch.folder,
      env: {
        ...Object.fromEntries(inherited),
        GALLEY_DATABASE_URL: databaseUrl,
        GALLEY_DEMO: 'false',
        GALLEY_LOG_LEVEL: 'info',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

function collectErrors(stream: NodeJS.ReadableStream): () => string {
  const texts: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => texts.push(text));
  return () => texts.join('').trim();
}

/** The URL in the log line that says the service is ready. */
function readListeningAddress(line: string): string | undefined {
  if (!line.includes('"listening"')) return undefined;
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null || !('msg' in entry) || entry.msg !== 'listening') return undefined;
  return 'address' in entry && typeof entry.address === 'string' ? entry.address : undefined;
}

// Handles a benchmark's command line: reads the options, and creates a scratch folder for the run.

import { inspect, type ParseArgsOptionsConfig } from 'node:util';
import { Scratch } from './scratch.ts';

export interface BenchmarkCommand<Options> {
  readonly usage: string;
  /** Throws an error whose message is meant for the person who typed the arguments. */
  readonly parse: (args: readonly string[]) => Options | 'help';
  readonly run: (options: Options, scratch: Scratch) => Promise<void>;
}

export async function runBenchmark<Options>({ usage, parse, run }: BenchmarkCommand<Options>): Promise<void> {
  let options: Options | 'help';
  try {
    options = parse(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  const scratch = new Scratch();
  try {
    await run(options, scratch);
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    process.exitCode = 1;
  } finally {
    scratch.close();
  }
}

/** Reports progress. Only the results are written to standard output. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The value of a numeric option. */
export function parseCount(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number of at least 1, not ${text}.`);
  return Number(text);
}

/** The options that the comparisons with other programs share, for `parseArgs`. */
export const COMPARISON_OPTIONS = {
  only: { type: 'string', multiple: true, default: [] },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  keep: { type: 'string' },
  out: { type: 'string' },
  'write-docs': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig;

export const WRITE_DOCS_RULE = '--write-docs requires a complete run that writes its file to the default folder.';

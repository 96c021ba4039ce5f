// What a run can be asked for on the command line.

import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Objects of the small and of the large site. */
  readonly sizes: readonly [number, number];
  readonly rounds: number;
  /** How long each load of a round lasts; whole seconds, since that is what the load tools take. */
  readonly seconds: number;
  /** Before the first round, for each case; 0 for none. */
  readonly warmUpSeconds: number;
  readonly connections: number;
  readonly tool: 'wrk' | 'autocannon' | undefined;
  /** A folder in which the databases are kept for later runs; undefined makes new ones and removes them. */
  readonly keptIn: string | undefined;
  readonly out: string | undefined;
  readonly isQuick: boolean;
  readonly isVerbose: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]

  --quick          a smoke run of half a minute: 1,000 and 5,000 objects, short rounds, no file
  --objects N      objects of the large site, a multiple of 20 (default 100000)
  --rounds N       rounds of which the median counts (default 3)
  --seconds N      seconds of load in each round (default 2)
  --tool NAME      wrk or autocannon (default: wrk where it is installed)
  --keep FOLDER    keep the databases there and use those of an earlier run; the import is measured only when it runs
  --out FILE       where the figures go as JSON (default: docs/benchmarks/embedded-DATE.json)
  --verbose        add CPU time per request and latencies to the table
`;

const SMALL_SITE = 1000;
const LARGE_SITE = 100_000;
const QUICK_LARGE_SITE = 5000;

/** Throws an error whose message is for the person who typed the arguments. */
export function parseOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      objects: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      tool: { type: 'string' },
      keep: { type: 'string' },
      out: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const isQuick = values.quick;
  const large = parseCount('objects', values.objects, isQuick ? QUICK_LARGE_SITE : LARGE_SITE);
  // The last page must be a full one, or it would be compared with a longer first page.
  if (large % 20 !== 0) throw new Error('--objects must be a multiple of 20.');
  if (large <= SMALL_SITE) throw new Error(`--objects must be more than the ${SMALL_SITE} of the small site.`);
  return {
    sizes: [SMALL_SITE, large],
    rounds: parseCount('rounds', values.rounds, isQuick ? 1 : 3),
    seconds: parseCount('seconds', values.seconds, isQuick ? 1 : 2),
    warmUpSeconds: isQuick ? 0 : 1,
    connections: 32,
    tool: parseTool(values.tool),
    keptIn: values.keep,
    out: values.out,
    isQuick,
    isVerbose: values.verbose,
  };
}

function parseCount(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number from 1 on, not ${text}.`);
  return Number(text);
}

function parseTool(text: string | undefined): BenchOptions['tool'] {
  if (text === undefined || text === 'wrk' || text === 'autocannon') return text;
  throw new Error(`--tool must be wrk or autocannon, not ${text}.`);
}

// The command-line options for a run.

import { parseArgs } from 'node:util';
import { parseCount, WRITE_DOCS_RULE } from './benchmark-command.ts';
import { isRowName, READ_ROWS, ROWS, type RowName, selectRows } from './rows/row-names.ts';

export interface BenchOptions {
  /** The number of objects on the small site and on the large one. */
  readonly sizes: readonly [number, number];
  readonly rounds: number;
  /** How long each load in a round lasts, in whole seconds because load tools do not accept fractions. */
  readonly seconds: number;
  /** How long each load lasts in groups with many cases that are compared only with each other. */
  readonly briefSeconds: number;
  /** How long each case is warmed up before the first round; 0 for no warm-up. */
  readonly warmUpSeconds: number;
  readonly connections: number;
  readonly tool: 'wrk' | 'autocannon' | undefined;
  /** The folder in which the databases are kept for later runs. If undefined, they are created for this run and deleted afterwards. */
  readonly keptIn: string | undefined;
  readonly out: string | undefined;
  readonly rows: ReadonlySet<RowName>;
  /** Whether only some rows are measured, in which case the report would be incomplete. */
  readonly isPartial: boolean;
  readonly isFull: boolean;
  readonly engine: 'embedded' | 'postgres';
  readonly writesDocs: boolean;
  readonly isQuick: boolean;
  readonly isVerbose: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]

  --quick          a smoke test that takes less than a minute: 1,000 and 5,000 objects, short rounds; writes no file
  --full           1,000,000 objects (npm run bench:full); takes half an hour
  --engine NAME    embedded or postgres (npm run bench:postgres): a separate PostgreSQL server, reads only
  --only ROWS      measure only these rows, separated by commas; writes no file
  --objects N      objects on the large site, a multiple of 40 (default 100000)
  --rounds N       number of rounds; results are medians (default 3)
  --seconds N      seconds of load in each round (default 2)
  --tool NAME      wrk or autocannon (default: wrk if it is installed)
  --keep FOLDER    keep the databases there and reuse those from an earlier run; a reused database has no import result
  --out FILE       write the results here as JSON, with the charts next to it (default: docs/benchmarks/embedded-DATE.json)
  --write-docs     write the tables from this run to docs/performance.md and README.md
  --verbose        add the ratio based on CPU time to the table

Rows:
${Object.entries(ROWS)
  .map(([name, what]) => `  ${name.padEnd(16)} ${what}`)
  .join('\n')}
`;

const SMALL_SITE = 1000;
const LARGE_SITE = 100_000;
const QUICK_LARGE_SITE = 5000;
const FULL_LARGE_SITE = 1_000_000;

/** Throws an error whose message is meant for the person who typed the arguments. */
export function parseOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'embedded' },
      only: { type: 'string', multiple: true, default: [] },
      'write-docs': { type: 'boolean', default: false },
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
  const { quick: isQuick, full: isFull } = values;
  const engine = parseEngine(values.engine);
  if (isQuick && isFull) throw new Error('--quick and --full cannot be combined.');
  if (engine === 'postgres' && (isFull || values.keep !== undefined)) {
    throw new Error('--engine postgres cannot be combined with --full or --keep.');
  }
  const large = parseCount('objects', values.objects, findLargeSite(isQuick, isFull));
  // The last page must be full, because otherwise it would be compared with a longer first page. One page must be exactly in the middle.
  if (large % 40 !== 0) throw new Error('--objects must be a multiple of 40.');
  if (large <= SMALL_SITE) throw new Error(`--objects must be greater than ${SMALL_SITE}, the size of the small site.`);
  if (values['write-docs'] && (isQuick || values.out !== undefined || values.only.length > 0)) {
    throw new Error(WRITE_DOCS_RULE);
  }
  const only = values.only.flatMap((text) => text.split(','));
  const seconds = parseCount('seconds', values.seconds, isQuick ? 1 : 2);
  return {
    sizes: [SMALL_SITE, large],
    rounds: parseCount('rounds', values.rounds, isQuick ? 1 : 3),
    seconds,
    briefSeconds: Math.ceil(seconds / 2),
    warmUpSeconds: isQuick ? 0 : 1,
    rows: selectRows(parseRows(only), engine === 'postgres' ? READ_ROWS : undefined),
    isPartial: only.length > 0,
    isFull,
    engine,
    writesDocs: values['write-docs'],
    connections: 32,
    tool: parseTool(values.tool),
    keptIn: values.keep,
    out: values.out,
    isQuick,
    isVerbose: values.verbose,
  };
}

function findLargeSite(isQuick: boolean, isFull: boolean): number {
  if (isQuick) return QUICK_LARGE_SITE;
  return isFull ? FULL_LARGE_SITE : LARGE_SITE;
}

function parseRows(names: readonly string[]): readonly RowName[] {
  return names.map((name) => {
    if (isRowName(name)) return name;
    throw new Error(`--only accepts the rows ${Object.keys(ROWS).join(', ')}, not ${name}.`);
  });
}

function parseEngine(text: string): BenchOptions['engine'] {
  if (text === 'embedded' || text === 'postgres') return text;
  throw new Error(`--engine must be embedded or postgres, not ${text}.`);
}

function parseTool(text: string | undefined): BenchOptions['tool'] {
  if (text === undefined || text === 'wrk' || text === 'autocannon') return text;
  throw new Error(`--tool must be wrk or autocannon, not ${text}.`);
}

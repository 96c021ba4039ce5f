// The command-line options for the measurements of files and images.

import { parseArgs } from 'node:util';
import { COMPARISON_OPTIONS, parseCount, WRITE_DOCS_RULE } from '../benchmark-command.ts';

/** A description of what each row measures, keyed by the name that `--only` accepts. */
export const IMAGE_ROWS = {
  cold: 'images that have never been requested before, against the same work in bare sharp',
  ipx: 'the same images, new and repeated, against ipx',
  repeated: 'a transformed image of about 60 KB, requested again, against node:http streaming the same file',
  content: 'repeated content requests while images are being made, compared with when none are',
  memory: 'memory while 32 originals of 24 megapixels each are waiting',
  upload: 'an upload, against node:http piping the same bytes to a file',
} as const;

export type ImageRow = keyof typeof IMAGE_ROWS;

export interface ImageOptions {
  readonly rows: ReadonlySet<ImageRow>;
  readonly rounds: number;
  /** How long each load lasts. */
  readonly seconds: number;
  /** How many widths of an image each round requests, in two formats. */
  readonly widths: number;
  readonly originals: number;
  readonly uploadBytes: number;
  readonly connections: number;
  readonly keptIn: string | undefined;
  readonly out: string | undefined;
  readonly isPartial: boolean;
  readonly isQuick: boolean;
  readonly writesDocs: boolean;
}

export const IMAGES_USAGE = `Usage: npm run bench:images -- [options]

Uploads pictures to a service and measures how fast it transforms and serves them. Installs ipx from npm into a scratch folder.

  --quick          a check that the benchmark works; writes no file
  --only ROWS      measure only these rows, separated by commas; writes no file
  --rounds N       number of rounds; results are medians (default 3)
  --seconds N      seconds of load in each round (default 3)
  --keep FOLDER    install ipx there and reuse it in the next run
  --out FILE       write the results here as JSON (default: docs/benchmarks/images-DATE.json)
  --write-docs     write the table from this run to docs/performance.md

Rows:
${Object.entries(IMAGE_ROWS)
  .map(([name, what]) => `  ${name.padEnd(10)} ${what}`)
  .join('\n')}
`;

const GIGABYTE = 1_000_000_000;

/** Throws an error whose message is meant for the person who typed the arguments. */
export function parseImageOptions(args: readonly string[]): ImageOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...COMPARISON_OPTIONS,
      quick: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { quick: isQuick } = values;
  const names = values.only.flatMap((text) => text.split(','));
  if (values['write-docs'] && (isQuick || values.out !== undefined || names.length > 0)) {
    throw new Error(WRITE_DOCS_RULE);
  }
  return {
    rows: new Set(names.length === 0 ? listRows() : names.map(parseRow)),
    rounds: parseCount('rounds', values.rounds, isQuick ? 1 : 3),
    seconds: parseCount('seconds', values.seconds, isQuick ? 1 : 3),
    widths: isQuick ? 4 : 41,
    originals: isQuick ? 4 : 32,
    uploadBytes: isQuick ? GIGABYTE / 20 : GIGABYTE,
    connections: 32,
    keptIn: values.keep,
    out: values.out,
    isPartial: names.length > 0,
    isQuick,
    writesDocs: values['write-docs'],
  };
}

function listRows(): readonly ImageRow[] {
  return Object.keys(IMAGE_ROWS).map(parseRow);
}

function parseRow(name: string): ImageRow {
  if (isRow(name)) return name;
  throw new Error(`--only accepts the rows ${Object.keys(IMAGE_ROWS).join(', ')}, not ${name}.`);
}

function isRow(name: string): name is ImageRow {
  return Object.hasOwn(IMAGE_ROWS, name);
}

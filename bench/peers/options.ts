// The command-line options for the comparison with peers.

import { parseArgs } from 'node:util';
import { COMPARISON_OPTIONS, parseCount, WRITE_DOCS_RULE } from '../benchmark-command.ts';
import { directus } from './directus.ts';
import { payload } from './payload.ts';
import type { Peer } from './peer.ts';
import { strapi } from './strapi.ts';

export interface PeerOptions {
  readonly peers: readonly Peer[];
  readonly articles: number;
  readonly rounds: number;
  /** The duration of each load on a peer. A slow peer handles only a few requests in this time. */
  readonly seconds: number;
  /** The duration of each load on Galley. */
  readonly ownSeconds: number;
  readonly connections: number;
  readonly keptIn: string | undefined;
  readonly out: string | undefined;
  /** Whether some peers are left out. */
  readonly isPartial: boolean;
  readonly writesDocs: boolean;
}

const PEERS: readonly Peer[] = [payload, strapi, directus];

export const PEERS_USAGE = `Usage: npm run bench:peers -- [options]

Installs other content systems from npm into a scratch folder, loads the same articles into each, and compares them with Galley.

  --only NAMES     measure only these, separated by commas: ${PEERS.map(({ name }) => name.toLowerCase()).join(', ')}; writes no file
  --articles N     number of articles, a multiple of 40 (default 10000)
  --rounds N       number of rounds; results are medians (default 3)
  --seconds N      seconds of load on a peer in each round (default 8)
  --keep FOLDER    install there and reuse the installations from an earlier run
  --out FILE       write the results here as JSON, with the chart next to it (default: docs/benchmarks/peers-DATE.json)
  --write-docs     write the table from this run to docs/performance.md and README.md
`;

/** Throws an error whose message is meant for the person who typed the arguments. */
export function parsePeerOptions(args: readonly string[]): PeerOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...COMPARISON_OPTIONS,
      articles: { type: 'string' },
    },
  });
  if (values.help) return 'help';
  const names = values.only.flatMap((text) => text.split(','));
  if (values['write-docs'] && (values.out !== undefined || names.length > 0)) {
    throw new Error(WRITE_DOCS_RULE);
  }
  const seconds = parseCount('seconds', values.seconds, 8);
  const articles = parseCount('articles', values.articles, 10_000);
  if (articles % 40 !== 0) throw new Error('--articles must be a multiple of 40.');
  return {
    peers: names.length === 0 ? PEERS : names.map(findPeer),
    articles,
    rounds: parseCount('rounds', values.rounds, 3),
    seconds,
    ownSeconds: Math.min(2, seconds),
    connections: 32,
    keptIn: values.keep,
    out: values.out,
    isPartial: names.length > 0,
    writesDocs: values['write-docs'],
  };
}

function findPeer(name: string): Peer {
  const peer = PEERS.find((each) => each.name.toLowerCase() === name);
  if (peer !== undefined) return peer;
  throw new Error(`--only must name ${PEERS.map((each) => each.name.toLowerCase()).join(', ')}, not ${name}.`);
}

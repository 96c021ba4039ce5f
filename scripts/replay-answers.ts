// Compares the answers of this checkout of Galley with those of another one: imports the same random sites with both, and sends
// both the same random requests to the delivery API. The exit status is 1 if any answer differs in a way that is not intended.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseCount, runBenchmark, tell } from '../bench/benchmark-command.ts';
import type { Scratch } from '../bench/scratch.ts';
import type { BundleRecord } from '../packages/server/test/oracle/bundle.ts';
import { type Draw, runSeeded } from '../packages/server/test/oracle/draw.ts';
import { drawSite, type RandomSite } from '../packages/server/test/oracle/random-site.ts';
import { INTENDED_DIFFERENCES } from './replay/compare-answers.ts';
import { openCheckout } from './replay/open-checkout.ts';
import { type Replay, replayRequests } from './replay/replay-requests.ts';
import { startPostgres } from './testing/postgres-server.ts';

const ROOT = join(import.meta.dirname, '..');
/**
 * The number of objects on each site. One site has few languages, types and fields. The query plans for a small site differ from those for
 * a large one.
 */
const SITE_SIZES = [300, 60, 60, 12];
const DIFFERENCES_SHOWN = 10;

const USAGE = `Usage: node scripts/replay-answers.ts OTHER_CHECKOUT [options]

  OTHER_CHECKOUT   a folder with another commit of Galley, after \`npm ci\`
  --engine NAME    sqlite or postgres (default sqlite)
  --requests N     number of random requests (default 2000)
  --seed N         repeats the run with this seed (default: a new seed)
`;

interface ReplayOptions {
  readonly otherCheckout: string;
  readonly engine: 'sqlite' | 'postgres';
  readonly requests: number;
  readonly seed: number;
}

function parseOptions(args: readonly string[]): ReplayOptions | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      requests: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const [otherCheckout, ...more] = positionals;
  if (otherCheckout === undefined || more.length > 0) throw new Error('Name one other checkout.');
  return {
    otherCheckout: resolve(otherCheckout),
    engine: parseEngine(values.engine),
    requests: parseCount('requests', values.requests, 2000),
    seed: parseCount('seed', values.seed, 1 + Math.floor(Math.random() * 1e8)),
  };
}

function parseEngine(text: string): ReplayOptions['engine'] {
  if (text === 'sqlite' || text === 'postgres') return text;
  throw new Error(`--engine must be sqlite or postgres, not ${text}.`);
}

async function replay(options: ReplayOptions, scratch: Scratch): Promise<void> {
  const { otherCheckout, engine, requests, seed } = options;
  await runSeeded(seed, async (draw) => {
    const sites = drawSites(draw);
    const bundle = join(scratch.folder, 'bundle.ndjson');
    writeFileSync(bundle, renderBundle(sites));
    const postgresUrl = engine === 'postgres' ? await openPostgres(scratch) : undefined;
    tell('importing');
    const ours = await openCheckout(scratch, { checkout: ROOT, name: 'ours', postgresUrl, bundle });
    const theirs = await openCheckout(scratch, { checkout: otherCheckout, name: 'theirs', postgresUrl, bundle });
    tell('comparing');
    const replayed = await replayRequests(draw, { sites, requests, ours, theirs });
    process.stdout.write(renderReplay(options, replayed));
    if (replayed.differences.length > 0) process.exitCode = 1;
  });
}

/** As in the random bundles of the tests, some objects have the same ID as an object on the previous site. */
function drawSites(draw: Draw): readonly RandomSite[] {
  const sites: RandomSite[] = [];
  for (const [index, size] of SITE_SIZES.entries()) {
    const foreign = sites.at(-1)?.contents.map(({ id }) => id) ?? [];
    sites.push(drawSite(draw, `r${index}`, size, foreign));
  }
  return sites;
}

function renderBundle(sites: readonly RandomSite[]): string {
  return sites
    .flatMap(({ records }) => records)
    .map((record) => `${JSON.stringify(nameFields(record))}\n`)
    .join('');
}

/** Otherwise each import would choose random IDs for the fields. */
function nameFields(record: BundleRecord): BundleRecord {
  if (record.kind !== 'content_type') return record;
  return { ...record, fields: record.fields.map((field) => ({ ...field, id: `${record.id}_${field.handle}` })) };
}

async function openPostgres(scratch: Scratch): Promise<string> {
  const server = await startPostgres();
  scratch.whenClosed(() => server.kill());
  return server.url;
}

function renderReplay(options: ReplayOptions, { requests, pages, statuses, intended, differences }: Replay): string {
  const { otherCheckout, engine, seed } = options;
  const shown = differences
    .slice(0, DIFFERENCES_SHOWN)
    .flatMap(({ url, headers, statuses: [our, their], place }) => [
      '',
      `GET ${url} ${JSON.stringify(headers)}`,
      `  status ${our} here, ${their} there; the ${place.part} differs at character ${place.at}`,
      `  here  …${place.ours}…`,
      `  there …${place.theirs}…`,
    ]);
  return [
    `Compared with ${otherCheckout} on ${engine}, seed ${seed}: ${requests} requests and ${pages} pages reached through links.`,
    `Statuses: ${renderStatuses(statuses)}`,
    'Intended differences:',
    ...INTENDED_DIFFERENCES.map(({ name, reason }) => `  ${intended.get(name) ?? 0} × ${name}. ${reason}`),
    `Other differences: ${differences.length}`,
    ...shown,
    '',
  ].join('\n');
}

function renderStatuses(statuses: Replay['statuses']): string {
  return [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');
}

await runBenchmark({ usage: USAGE, parse: parseOptions, run: replay });

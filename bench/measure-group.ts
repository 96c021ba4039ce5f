// Measures the cases in a group, alternating with their baseline, so that other work on the machine affects all of them equally.

import type { BareProcess } from './bare-process.ts';
import type { BareSelect } from './bare-select.ts';
import type { Case, Group } from './cases.ts';
import { DisturbedLoad, type Load, type LoadFigures, type LoadTarget } from './load/load.ts';
import { type ProcessUsage, readUsage } from './process-usage.ts';
import { findHeader, type RecordedAnswer, recordAnswer } from './recorded-answer.ts';

export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The server's CPU time per request, which varies less than requests per second on a busy machine. Undefined on some systems. */
  readonly cpuMicroseconds: number | undefined;
  /** The share of one core that the server used. */
  readonly coreShare: number | undefined;
  readonly anonymousMb: number | undefined;
}

export interface MeasuredCase {
  readonly size: number;
  readonly place: Case['place'];
  readonly kind: Case['kind'];
  /** One value per round. */
  readonly samples: readonly Sample[];
}

export interface MeasuredGroup {
  readonly row: Group['row'];
  readonly what: string;
  readonly bodyBytes: number;
  /** The kind of baseline. In reports without this property, it was a bare server. */
  readonly against?: 'node:http' | 'select';
  readonly yardstick: readonly Sample[];
  readonly cases: readonly MeasuredCase[];
}

export interface Method {
  readonly bare: BareProcess;
  /** The baseline for first-time reads from PostgreSQL. */
  readonly select: BareSelect | undefined;
  readonly load: Load;
  readonly rounds: number;
  readonly seconds: number;
  /** The duration of each load in a group with `isBrief`. */
  readonly briefSeconds: number;
  readonly warmUpSeconds: number;
  /** Called for each load that had to be repeated because the machine or the service stalled. */
  readonly onDisturbed: (text: string) => void;
}

const MOST_ATTEMPTS = 3;

interface Contender {
  readonly name: string;
  readonly run: (seconds: number) => Promise<LoadFigures>;
  readonly pid: number | undefined;
  readonly samples: Sample[];
}

export async function measureGroup(group: Group, method: Method): Promise<MeasuredGroup> {
  const { load, rounds, warmUpSeconds } = method;
  const seconds = group.isBrief ? method.briefSeconds : method.seconds;
  const model = group.cases.find(({ kind }) => kind !== 'unchanged');
  if (model === undefined) throw new Error(`There is nothing to measure in ${group.what}`);
  const contenders = group.cases.map((each): Contender => {
    const { site, place, kind } = each;
    const run = (duration: number): Promise<LoadFigures> => load.run(aim(each), duration);
    return { name: `${place}, ${site.size} objects, ${kind}`, run, pid: site.galley.pid, samples: [] };
  });
  // A response is cached once it has been requested twice.
  for (const each of group.cases) if (each.kind !== 'first-time') await askTwice(aim(each));
  const answer = await recordAnswer(model.site.reader, nameAddress(model, 'yardstick'));
  const against = method.select !== undefined && model.kind === 'first-time' ? 'select' : 'node:http';
  const yardstick: Contender = {
    name: 'the baseline',
    ...(against === 'select' ? await aimSelect(group, method) : await aimBareServer(model, answer, method)),
    samples: [],
  };
  const all = [yardstick, ...contenders];
  if (warmUpSeconds > 0) for (const each of all) await measureOnce(each, { ...method, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that a machine that becomes slower or faster favours neither side.
    for (const contender of round % 2 === 0 ? all : all.toReversed()) {
      contender.samples.push(await measureOnce(contender, { ...method, seconds }));
    }
  }
  for (const each of group.cases) await checkCacheStatus(each);
  return {
    row: group.row,
    what: group.what,
    bodyBytes: Buffer.byteLength(answer.body),
    against,
    yardstick: yardstick.samples,
    cases: group.cases.map(({ site, place, kind }, index) => {
      return { size: site.size, place, kind, samples: contenders[index]?.samples ?? [] };
    }),
  };
}

async function aimBareServer(
  model: Case,
  answer: RecordedAnswer,
  { bare, load }: Method,
): Promise<Pick<Contender, 'run' | 'pid'>> {
  const target = { ...aim(model), origin: await bare.serve(answer) };
  return { run: (seconds) => load.run(target, seconds), pid: bare.pid };
}

async function aimSelect(group: Group, { select }: Method): Promise<Pick<Contender, 'run' | 'pid'>> {
  if (select === undefined) throw new Error('The select baseline requires PostgreSQL');
  await select.prepare(group);
  return select;
}

export function aim({ site, kind, paths, headers }: Case): LoadTarget {
  const isNumbered = kind === 'first-time';
  return { origin: site.reader.origin, headers: { ...site.reader.headers, ...headers }, paths, isNumbered };
}

export async function askTwice({ origin, headers, paths }: LoadTarget): Promise<void> {
  const { 'if-none-match': _, ...plain } = headers;
  for (const path of [...paths, ...paths]) await recordAnswer({ origin, headers: plain }, path);
}

async function measureOnce({ name, run, pid }: Contender, { seconds, onDisturbed }: Method): Promise<Sample> {
  for (let attempt = 1; ; attempt++) {
    const before = readUsage(pid);
    try {
      const figures = await run(seconds);
      return buildSample(figures, before, readUsage(pid));
    } catch (error) {
      const message = `The load test of ${name} failed`;
      if (!(error instanceof DisturbedLoad) || attempt === MOST_ATTEMPTS) throw new Error(message, { cause: error });
      onDisturbed(`${message} and will be repeated: ${error.message}`);
    }
  }
}

function buildSample(figures: LoadFigures, before: ProcessUsage | undefined, after: ProcessUsage | undefined): Sample {
  const cpuSeconds = before && after && after.cpuSeconds - before.cpuSeconds;
  return {
    perSecond: figures.requests / figures.seconds,
    p50Ms: figures.p50Ms,
    p99Ms: figures.p99Ms,
    cpuMicroseconds: cpuSeconds && (cpuSeconds / figures.requests) * 1e6,
    coreShare: cpuSeconds && cpuSeconds / figures.seconds,
    anonymousMb: after?.anonymousMb,
  };
}

/** First-time requests must not be served from the cache, and repeated requests must be. */
async function checkCacheStatus(each: Case): Promise<void> {
  if (each.kind === 'unchanged') return;
  const address = nameAddress(each, 'last');
  const isHit = findHeader(await recordAnswer(each.site.reader, address), 'cache-status')?.includes('hit') ?? false;
  if (isHit === (each.kind === 'repeated')) return;
  throw new Error(`${address} was ${isHit ? '' : 'not '}served from the cache, so these are not ${each.kind} requests`);
}

function nameAddress({ kind, paths }: Case, number: string): string {
  return kind === 'first-time' ? `${paths[0]}${number}` : `${paths[0]}`;
}

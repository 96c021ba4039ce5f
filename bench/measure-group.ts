// Measures the cases of a group in turns with their yardstick, so that whatever else the machine does hits all alike.

import type { BareProcess } from './bare-process.ts';
import type { Case, Group } from './cases.ts';
import { DisturbedLoad, type Load, type LoadFigures, type LoadTarget } from './load/load.ts';
import { type ProcessUsage, readUsage } from './process-usage.ts';
import { findHeader, recordAnswer } from './recorded-answer.ts';

export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server, for each request; steadier than requests a second on a busy machine. Unknown on some systems. */
  readonly cpuMicroseconds: number | undefined;
  /** How much of one core the server got. */
  readonly coreShare: number | undefined;
  readonly anonymousMb: number | undefined;
}

export interface MeasuredCase {
  readonly size: number;
  readonly place: Case['place'];
  /** One for each round. */
  readonly samples: readonly Sample[];
}

export interface MeasuredGroup {
  readonly what: string;
  readonly bar: number;
  readonly bodyBytes: number;
  readonly yardstick: readonly Sample[];
  readonly cases: readonly MeasuredCase[];
}

export interface Method {
  readonly bare: BareProcess;
  readonly load: Load;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Told of each load that had to be repeated: it may have been the machine, or the service standing still. */
  readonly onDisturbed: (text: string) => void;
}

const MOST_ATTEMPTS = 3;

interface Contender {
  readonly name: string;
  readonly target: LoadTarget;
  readonly pid: number | undefined;
  readonly samples: Sample[];
}

export async function measureGroup(group: Group, method: Method): Promise<MeasuredGroup> {
  const { bare, rounds, warmUpSeconds } = method;
  const model = group.cases.at(-1);
  if (model === undefined) throw new Error(`Nothing to measure in ${group.what}`);
  const answer = await recordAnswer(model.site.reader, `${model.paths[0]}yardstick`);
  const bareOrigin = await bare.serve(answer);
  const yardstick: Contender = {
    name: 'the yardstick',
    target: { origin: bareOrigin, paths: model.paths, headers: model.site.reader.headers },
    pid: bare.pid,
    samples: [],
  };
  const contenders = group.cases.map(({ site, place, paths }): Contender => {
    return {
      name: `${place}, ${site.size} objects`,
      target: { ...site.reader, paths },
      pid: site.galley.pid,
      samples: [],
    };
  });
  const all = [yardstick, ...contenders];
  if (warmUpSeconds > 0) for (const each of all) await measureOnce(each, { ...method, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round++) {
    // There and back, so that a machine that grows slower or faster favours nobody.
    for (const contender of round % 2 === 0 ? all : all.toReversed()) {
      contender.samples.push(await measureOnce(contender, method));
    }
  }
  for (const each of group.cases) await refuseCachedAnswers(each);
  return {
    what: group.what,
    bar: group.bar,
    bodyBytes: Buffer.byteLength(answer.body),
    yardstick: yardstick.samples,
    cases: group.cases.map(({ site, place }, index) => {
      return { size: site.size, place, samples: contenders[index]?.samples ?? [] };
    }),
  };
}

async function measureOnce(contender: Contender, { load, seconds, onDisturbed }: Method): Promise<Sample> {
  const { name, target, pid } = contender;
  for (let attempt = 1; ; attempt++) {
    const before = readUsage(pid);
    try {
      const figures = await load.run(target, seconds);
      return buildSample(figures, before, readUsage(pid));
    } catch (error) {
      const message = `The load on ${name} failed`;
      if (!(error instanceof DisturbedLoad) || attempt === MOST_ATTEMPTS) throw new Error(message, { cause: error });
      onDisturbed(`${message} and is repeated: ${error.message}`);
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

/** The number behind each address must have made every request the first of its kind. */
async function refuseCachedAnswers({ site, paths }: Case): Promise<void> {
  const answer = await recordAnswer(site.reader, `${paths[0]}last`);
  if (findHeader(answer, 'cache-status')?.includes('hit')) {
    throw new Error(`${paths[0]}last was answered from a cache: this run has measured repeated requests`);
  }
}

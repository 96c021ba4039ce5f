// Measures how consistent response times are. Requests are sent at half the service's maximum rate, and each latency is measured from the
// time the request was due.

import type { BareProcess } from '../bare-process.ts';
import { buildRepeatedGroups } from '../cases.ts';
import type { Load, LoadFigures } from '../load/load.ts';
import { runPacedLoad } from '../load/paced-load.ts';
import { aim, askTwice } from '../measure-group.ts';
import type { Site } from '../open-site.ts';
import { recordAnswer } from '../recorded-answer.ts';
import type { Scratch } from '../scratch.ts';

export interface MeasuredLatency {
  readonly what: string;
  /** The request rate at which the latencies were measured, in requests per second. */
  readonly perSecond: number;
  /** One value per round. */
  readonly p50Ms: readonly number[];
  readonly p99Ms: readonly number[];
  /**
   * The bare server's latencies at the same rate, measured alternately with the service's. They show how much the machine and the tool add.
   */
  readonly bareP50Ms: readonly number[];
  readonly bareP99Ms: readonly number[];
}

export interface LatencyMethod {
  readonly bare: BareProcess;
  readonly load: Load;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
}

const SHARE_OF_TOP_RATE = 0.5;

export async function measureLatency(
  scratch: Scratch,
  site: Site,
  { bare, load, connections, rounds, seconds }: LatencyMethod,
): Promise<readonly MeasuredLatency[]> {
  const measured: MeasuredLatency[] = [];
  for (const { what, cases } of await buildRepeatedGroups(site)) {
    const target = aim(cases[0]);
    await askTwice(target);
    const top = await load.run(target, seconds);
    const perSecond = Math.round((top.requests / top.seconds) * SHARE_OF_TOP_RATE);
    const origin = await bare.serve(await recordAnswer(site.reader, target.paths[0] ?? ''));
    const order = { ...target, connections, perSecond, seconds };
    const ours: LoadFigures[] = [];
    const yardstick: LoadFigures[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await runPacedLoad(scratch, order));
      yardstick.push(await runPacedLoad(scratch, { ...order, origin }));
    }
    measured.push({
      what,
      perSecond,
      p50Ms: ours.map(({ p50Ms }) => p50Ms),
      p99Ms: ours.map(({ p99Ms }) => p99Ms),
      bareP50Ms: yardstick.map(({ p50Ms }) => p50Ms),
      bareP99Ms: yardstick.map(({ p99Ms }) => p99Ms),
    });
  }
  return measured;
}

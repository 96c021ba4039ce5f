// Measures one peer, alternating with Galley, on the same articles: an object by ID, the newest articles, and a page far down the list.

import { LIST, listIds } from '../cases.ts';
import type { Load, LoadTarget } from '../load/load.ts';
import { askTwice } from '../measure-group.ts';
import type { Site } from '../open-site.ts';
import type { Peer } from './peer.ts';
import type { RunningPeer } from './start-peer.ts';

export const TASKS = ['object by id', 'list of 20, newest first', 'the same list, page at 80 % of it'] as const;
export type Task = (typeof TASKS)[number];

/** Requests per second, one value per round. */
export interface PeerRates {
  readonly task: Task;
  readonly peer: readonly number[];
  readonly repeated: readonly number[];
  readonly firstTime: readonly number[];
}

export interface PeerMethod {
  readonly load: Load;
  readonly rounds: number;
  readonly seconds: number;
  readonly ownSeconds: number;
}

const IDS = 1000;
const PAGE = 20;
const DEEP = 0.8;

export async function measurePeer(
  site: Site,
  peer: Peer,
  running: RunningPeer,
  { load, rounds, seconds, ownSeconds }: PeerMethod,
): Promise<readonly PeerRates[]> {
  const measured: PeerRates[] = [];
  for (const task of TASKS) {
    const own = aimAtGalley(site, task);
    const repeated = { ...own, isNumbered: false };
    const firstTime = { ...own, isNumbered: true, paths: own.paths.map((path) => `${path}&n=`) };
    const target = aimAtPeer(peer, running, task, site.size);
    await askTwice(repeated);
    const contenders = [
      { target, seconds, rates: [] as number[] },
      { target: repeated, seconds: ownSeconds, rates: [] as number[] },
      { target: firstTime, seconds: ownSeconds, rates: [] as number[] },
    ] as const;
    for (const each of contenders) await load.run(each.target, Math.min(each.seconds, 3));
    for (let round = 0; round < rounds; round++) {
      for (const each of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const figures = await load.run(each.target, each.seconds);
        each.rates.push(figures.requests / figures.seconds);
      }
    }
    const [ofPeer, ofRepeated, ofFirstTime] = contenders;
    measured.push({ task, peer: ofPeer.rates, repeated: ofRepeated.rates, firstTime: ofFirstTime.rates });
  }
  return measured;
}

/** Simple mode, because the peers also use numbered pages and return the total. */
function aimAtGalley(site: Site, task: Task): LoadTarget {
  const { origin, headers } = site.reader;
  const simple = { ...headers, 'x-service-simple-pagination': 'true' };
  const ids = listIds(site, IDS);
  const paths = {
    'object by id': ids.map((id) => `${LIST}/${id}?`),
    'list of 20, newest first': [`${LIST}?page=1`],
    'the same list, page at 80 % of it': [`${LIST}?page=${findDeepPage(site.size)}`],
  };
  return { origin, headers: simple, paths: paths[task], isNumbered: false };
}

function aimAtPeer(peer: Peer, { origin, ids }: RunningPeer, task: Task, size: number): LoadTarget {
  const paths = {
    'object by id': ids.map((id) => peer.objectPath(id)),
    'list of 20, newest first': [peer.listPath(1)],
    'the same list, page at 80 % of it': [peer.listPath(findDeepPage(size))],
  };
  return { origin, headers: {}, paths: paths[task], isNumbered: false };
}

function findDeepPage(size: number): number {
  return Math.round((size / PAGE) * DEEP);
}

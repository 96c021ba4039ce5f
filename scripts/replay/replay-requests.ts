// Sends the same random requests to two checkouts, follows some of the links in their answers, and compares every pair of answers.

import { chance, type Draw, drawNumber, pick } from '../../packages/server/test/oracle/draw.ts';
import {
  drawListRequest,
  drawObjectRequest,
  type RandomRequest,
} from '../../packages/server/test/oracle/random-request.ts';
import type { RandomSite } from '../../packages/server/test/oracle/random-site.ts';
import { type Answer, get, urlOf } from '../../packages/server/test/oracle/service-call.ts';
import { compareAnswers, type DifferentPlace } from './compare-answers.ts';
import { type OpenCheckout, PUBLIC_URL } from './open-checkout.ts';

const OBJECT_REQUESTS_PERCENT = 20;
const MOST_LINKS_FOLLOWED = 4;

interface Difference {
  /** The request as sent to this checkout, and its headers. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly statuses: readonly [ours: number, theirs: number];
  readonly place: DifferentPlace;
}

export interface Replay {
  readonly requests: number;
  /** Further pages, reached through links. */
  readonly pages: number;
  /** How many responses from this checkout had each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How often each intended difference was found, by name. */
  readonly intended: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

interface ReplayOrder {
  readonly sites: readonly RandomSite[];
  readonly requests: number;
  readonly ours: OpenCheckout;
  readonly theirs: OpenCheckout;
}

export async function replayRequests(draw: Draw, order: ReplayOrder): Promise<Replay> {
  const statuses = new Map<number, number>();
  const intended = new Map<string, number>();
  const differences: Difference[] = [];
  let answers = 0;
  for (let request = 0; request < order.requests; request += 1) {
    for await (const { url, headers, ours, theirs } of walkBoth(draw, order)) {
      answers += 1;
      count(statuses, ours.status);
      const comparison = compareAnswers(ours, theirs);
      if (comparison.kind === 'intended') count(intended, comparison.name);
      if (comparison.kind !== 'different') continue;
      differences.push({ url, headers, statuses: [ours.status, theirs.status], place: comparison.place });
      // The answers after this one would only repeat the difference.
      break;
    }
  }
  return { requests: order.requests, pages: answers - order.requests, statuses, intended, differences };
}

interface AnswerPair {
  /** The request as sent to this checkout. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ours: Answer;
  readonly theirs: Answer;
}

/** The answers to one random request, and to some of the links in them. */
async function* walkBoth(draw: Draw, { sites, ours, theirs }: ReplayOrder): AsyncGenerator<AnswerPair> {
  const { path, query, headers } = drawRequest(draw, sites);
  let [ourUrl, theirUrl] = [urlOf(PUBLIC_URL, path, query), urlOf(PUBLIC_URL, path, query)];
  for (let left = drawNumber(draw, 0, MOST_LINKS_FOLLOWED); left >= 0; left -= 1) {
    const [our, their] = await Promise.all([send(ours, ourUrl, headers), send(theirs, theirUrl, headers)]);
    yield { url: ourUrl, headers, ours: our, theirs: their };
    const relations = Object.keys(our.links).filter((relation) => their.links[relation] !== undefined);
    if (relations.length === 0) return;
    const relation = pick(draw, relations);
    // Each checkout gets its own link.
    [ourUrl, theirUrl] = [our.links[relation] ?? '', their.links[relation] ?? ''];
  }
}

function drawRequest(draw: Draw, sites: readonly RandomSite[]): RandomRequest {
  const site = pick(draw, sites);
  if (!chance(draw, OBJECT_REQUESTS_PERCENT)) return drawListRequest(draw, site);
  const others = sites.filter((each) => each !== site).flatMap(({ contents }) => contents.map(({ id }) => id));
  return drawObjectRequest(draw, site, others);
}

function send(
  { origin, token }: OpenCheckout,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return get(url.replace(PUBLIC_URL, origin), token, headers);
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

// Measures the change feed: a full sync compared with `galley export`, changes read per second, how quickly a publish reaches many streams,
// and how much longer a publish takes with webhooks.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ManyStreams } from '../../scripts/testing/many-streams.ts';
import { listIds } from '../cases.ts';
import { SITE_ID, writeRenamed } from '../content.ts';
import { runGalley, startGalley } from '../galley-process.ts';
import type { Site } from '../open-site.ts';
import { readUsage } from '../process-usage.ts';
import { askFor, type Reader } from '../recorded-answer.ts';
import type { Scratch } from '../scratch.ts';
import { createEditor } from './editor.ts';
import { publishOne } from './measure-publishes.ts';
import { type MeasuredWebhooks, measureWebhooks } from './measure-webhooks.ts';

export interface MeasuredChanges {
  readonly size: number;
  readonly export: { readonly seconds: number; readonly peakResidentMb: number | undefined };
  readonly sync: { readonly seconds: number; readonly peakResidentMb: number | undefined };
  readonly feed: readonly MeasuredFeed[];
  readonly streams: MeasuredStreams;
  readonly webhooks: MeasuredWebhooks;
}

export interface MeasuredFeed {
  readonly hasContent: boolean;
  readonly changes: number;
  /** One value for each round. */
  readonly seconds: readonly number[];
}

export interface MeasuredStreams {
  readonly count: number;
  /** For each publish, the time from its response until the last stream has received the change. */
  readonly milliseconds: readonly number[];
  /** The additional memory that the streams use. */
  readonly addedMb: number | undefined;
}

export interface ChangeMethod {
  /** The number of articles to rename before the feed is measured. */
  readonly renamed: number;
  readonly rounds: number;
  readonly streams: number;
  readonly publishes: number;
}

const FEED = '/changes/v1';
const LIMIT = 1000;

export async function measureChanges(scratch: Scratch, site: Site, method: ChangeMethod): Promise<MeasuredChanges> {
  const { databaseUrl, size } = site;
  const bundle = join(scratch.folder, 'changes.ndjson');
  const exported = await runGalley(scratch, databaseUrl, ['export', '--site', SITE_ID, '--out', bundle]);
  rmSync(bundle);
  const { sync, since } = await measureSync(scratch, site);
  const count = Math.min(method.renamed, size);
  writeRenamed(bundle, count, Date.now().toString(36).slice(-6));
  await runGalley(scratch, databaseUrl, ['import', bundle]);
  rmSync(bundle);
  return {
    size,
    export: { seconds: exported.seconds, peakResidentMb: exported.usage?.peakResidentMb },
    sync,
    feed: await measureFeed(scratch, site, since, count, method.rounds),
    streams: await measureStreams(scratch, site, method),
    webhooks: await measureWebhooks(scratch, site, method.publishes),
  };
}

async function measureSync(
  scratch: Scratch,
  { databaseUrl, reader, size }: Site,
): Promise<{ readonly sync: MeasuredChanges['sync']; readonly since: string }> {
  const galley = await startGalley(scratch, databaseUrl);
  const startedAt = performance.now();
  const { count, position } = await readChanges({ ...reader, origin: galley.origin }, undefined, true);
  const seconds = (performance.now() - startedAt) / 1000;
  const peakResidentMb = readUsage(galley.pid)?.peakResidentMb;
  await galley.stop();
  if (count !== size) throw new Error(`The full sync listed ${count} objects instead of ${size}`);
  return { sync: { seconds, peakResidentMb }, since: position };
}

async function measureFeed(
  scratch: Scratch,
  { databaseUrl, reader }: Site,
  since: string,
  changes: number,
  rounds: number,
): Promise<readonly MeasuredFeed[]> {
  const galley = await startGalley(scratch, databaseUrl);
  const measured: MeasuredFeed[] = [];
  for (const hasContent of [false, true]) {
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      const { count } = await readChanges({ ...reader, origin: galley.origin }, since, hasContent);
      seconds.push((performance.now() - startedAt) / 1000);
      if (count < changes) throw new Error(`The feed listed ${count} changes instead of ${changes}`);
    }
    measured.push({ hasContent, changes, seconds });
  }
  await galley.stop();
  return measured;
}

interface ReadChanges {
  readonly count: number;
  readonly position: string;
}

/** Reads pages until there are no more. @param since undefined for a full sync */
async function readChanges(reader: Reader, since: string | undefined, hasContent: boolean): Promise<ReadChanges> {
  let position = since;
  let count = 0;
  for (;;) {
    const from = position === undefined ? '' : `&since=${position}`;
    const { status, body } = await askFor(
      reader,
      `${FEED}?limit=${LIMIT}${from}${hasContent ? '&include=content' : ''}`,
    );
    if (status !== 200) throw new Error(`The feed returned ${status}: ${body}`);
    // Parsing the objects would take longer than reading them.
    const head = body.slice(0, body.indexOf(HEAD_END));
    count += head.split('"position":').length - 1;
    const { next, hasMore } = parseFoot(body);
    position = next;
    if (!hasMore) return { count, position };
  }
}

const HEAD_END = '],"content":';
const FOOT = /"next":"(?<next>[^"]+)","has_more":(?<more>true|false),"drop_others":(?:true|false)\}$/;

function parseFoot(body: string): { readonly next: string; readonly hasMore: boolean } {
  const groups = FOOT.exec(body.slice(-500))?.groups;
  if (groups?.next === undefined) throw new Error(`A page ends with ${body.slice(-200)}`);
  return { next: groups.next, hasMore: groups.more === 'true' };
}

async function measureStreams(
  scratch: Scratch,
  site: Site,
  { streams: count, publishes }: ChangeMethod,
): Promise<MeasuredStreams> {
  const galley = await startGalley(scratch, site.databaseUrl);
  const reader = { ...site.reader, origin: galley.origin };
  const editor = await createEditor(scratch, site.databaseUrl, galley.origin);
  const [first = '', ...others] = listIds(site, publishes + 1);
  const since = await findEnd(reader);
  await publishOne(editor, first);
  const before = readUsage(galley.pid)?.residentMb;
  const token = reader.headers.authorization?.replace('Bearer ', '') ?? '';
  const query = `?since=${since}&include=content`;
  using streams = await ManyStreams.open({ url: galley.origin, token, site: SITE_ID, count, query });
  const milliseconds: number[] = [];
  let most = 0;
  for (const id of others) {
    const arriving = streams.arrival(`"id":"${id}"`);
    await publishOne(editor, id);
    const publishedAt = performance.now();
    await arriving;
    milliseconds.push(performance.now() - publishedAt);
    most = Math.max(most, readUsage(galley.pid)?.residentMb ?? 0);
  }
  streams[Symbol.dispose]();
  await galley.stop();
  return { count, milliseconds, addedMb: before === undefined ? undefined : most - before };
}

/** The first page of a full sync contains the position at which the log ended when the sync began: `sync.POSITION.PLACE`. */
async function findEnd(reader: Reader): Promise<string> {
  const { next } = parseFoot((await askFor(reader, `${FEED}?limit=1`)).body);
  return next.split('.')[1] ?? '';
}

// Writers for the site in changing-site.ts: over HTTP through the management API, or directly on the database in this process, as a
// command does.

import { setTimeout as wait } from 'node:timers/promises';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { publishContent, unpublishContent } from '../../src/authoring/contents/publish-content.ts';
import { saveContent } from '../../src/authoring/contents/save-content.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type Connection, openConnection } from '../support/connection.ts';
import type { ServedSite } from '../support/served-site.ts';
import {
  applyStep,
  buildStep,
  buildValues,
  FIRST_STATE,
  SITE,
  type SiteState,
  type Step,
  toTime,
} from './changing-site.ts';

/** Resolves when the step is acknowledged. Every later request must show it. */
export type TakeStep = (step: Step) => Promise<void>;

/** The progress so far. A reader may see any state from the last acknowledged step to the last one begun. */
export interface History {
  readonly states: SiteState[];
  begun: number;
  acknowledged: number;
}

export function beginHistory(): History {
  return { states: [FIRST_STATE], begun: 0, acknowledged: 0 };
}

export interface Pace {
  readonly isOver: () => boolean;
  /** The number of reads so far. */
  readonly countReads: () => number;
  readonly readsPerStep: number;
}

/** Takes one step for every so many reads, so that how often readers find a response in the cache depends on no clock. */
export async function takeSteps(
  history: History,
  takeStep: TakeStep,
  { isOver, countReads, readsPerStep }: Pace,
): Promise<void> {
  while (!isOver()) {
    const number = history.begun + 1;
    const step = buildStep(number);
    history.states[number] = applyStep(history.states[number - 1] ?? FIRST_STATE, step);
    history.begun = number;
    await takeStep(step);
    history.acknowledged = number;
    const next = countReads() + readsPerStep;
    while (!isOver() && countReads() < next) await wait(1);
  }
}

interface Writer extends Disposable {
  readonly takeStep: TakeStep;
}

export function openManagementWriter({ url, managementToken }: ServedSite): Writer {
  const connection = openConnection(url);
  const versions = new Map<string, number>();
  const call = (method: string, path: string, body?: object) =>
    callManagement(connection, managementToken, { method, path: `/sites/${SITE}/content/${path}`, body });
  return {
    async takeStep({ number, id, kind }) {
      if (kind === 'unpublish') {
        await call('POST', `${id}/unpublish`, { confirm: true });
        return;
      }
      if (kind === 'publish') {
        await call('POST', `${id}/publish`, { published_at: toTime(number) });
        return;
      }
      const version = versions.get(id) ?? readVersion(await call('GET', id));
      const saved = readVersion(await call('PUT', id, { version, ...buildValues(number) }));
      versions.set(id, saved);
      await call('POST', `${id}/publish`, { version: saved });
    },
    [Symbol.dispose]: () => connection.close(),
  };
}

/** @param storage the storage of the served database, opened by this process */
export function buildStorageWriter(storage: Storage): TakeStep {
  const desk = createDesk(storage);
  const versions = new Map<string, number>();
  return async ({ number, id, kind }) => {
    const address = { siteId: SITE, contentId: id };
    if (kind === 'unpublish') {
      await unpublishContent(desk, COMMAND_ACTOR, address, { isConfirmed: true });
      return;
    }
    if (kind === 'publish') {
      await publishContent(desk, COMMAND_ACTOR, address, { publishedAt: Date.parse(toTime(number)) });
      return;
    }
    const input = { version: versions.get(id) ?? 1, ...buildValues(number) };
    const { record } = await saveContent(desk, COMMAND_ACTOR, SITE, id, input);
    versions.set(id, record.newestVersion);
    await publishContent(desk, COMMAND_ACTOR, address, { version: record.newestVersion });
  };
}

export interface ManagementCall {
  readonly method: string;
  /** Relative to /manage/v1. */
  readonly path: string;
  readonly body?: object | undefined;
}

/** The body of the response. Throws if the service rejects the call. */
export async function callManagement(
  connection: Connection,
  token: string,
  { method, path, body }: ManagementCall,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, bytes } = await connection.ask({ method, target: `/manage/v1${path}`, headers, body });
  if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${bytes}`);
  return JSON.parse(bytes.toString());
}

function readVersion(body: unknown): number {
  return (body as { readonly version: number }).version;
}

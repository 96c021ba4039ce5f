// What a trace of the browser tells of how a page came up. The browser wrote it down by itself, on one clock.

import type { Browser } from 'playwright-core';

/** Milliseconds from the start of the navigation. */
export interface ScreenTimes {
  readonly firstPaint: number;
  /** When the page had dealt with the first key or click. */
  readonly handled: number;
  /** From that key or click to when the page turned to it. */
  readonly inputDelay: number;
  /** Of tasks after that which kept the page from answering for more than 50 ms. */
  readonly laterBlocking: number;
  /** As they came over the network. */
  readonly bytes: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly args: { readonly data?: EventDetails };
}

interface EventDetails {
  readonly isOutermostMainFrame?: boolean;
  readonly documentLoaderURL?: string;
  readonly encodedDataLength?: number;
  /** Of an input, in milliseconds on the page's clock. */
  readonly type?: string;
  readonly timeStamp?: number;
  readonly processingStart?: number;
  readonly processingEnd?: number;
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'loading', 'blink.user_timing'];
const LONG_TASK_US = 50_000;
const INPUTS = new Set(['keydown', 'pointerdown']);

/** @param visit opens the page and gives it its first key or click */
export async function traceScreen(browser: Browser, visit: () => Promise<void>): Promise<ScreenTimes> {
  await browser.startTracing(undefined, { categories: CATEGORIES });
  await visit();
  return readTimes(parseTrace(await browser.stopTracing()));
}

function readTimes(events: readonly TraceEvent[]): ScreenTimes {
  const start = findEvent(events, ({ name, args: { data } }) => name === 'navigationStart' && isPage(data));
  const paint = findEvent(events, ({ name, ts }) => name === 'firstContentfulPaint' && ts > start.ts);
  const input = findEvent(events, ({ name, args }) => name === 'EventTiming' && INPUTS.has(args.data?.type ?? ''));
  const { timeStamp = 0, processingStart = 0, processingEnd = 0 } = input.args.data ?? {};
  // The event itself is written when the input came in.
  const handledAt = input.ts + (processingEnd - timeStamp) * 1000;
  const later = events.filter(
    ({ name, pid, tid, ts }) => name === 'RunTask' && pid === start.pid && tid === start.tid && ts > handledAt,
  );
  const long = later.map(({ dur = 0 }) => dur).filter((dur) => dur > LONG_TASK_US);
  return {
    firstPaint: (paint.ts - start.ts) / 1000,
    handled: (handledAt - start.ts) / 1000,
    inputDelay: processingStart - timeStamp,
    laterBlocking: sum(long) / 1000,
    bytes: sum(
      events.filter(({ name }) => name === 'ResourceFinish').map(({ args }) => args.data?.encodedDataLength ?? 0),
    ),
  };
}

function isPage(details: EventDetails | undefined): boolean {
  return details?.isOutermostMainFrame === true && details.documentLoaderURL?.startsWith('http') === true;
}

function findEvent(events: readonly TraceEvent[], isWanted: (event: TraceEvent) => boolean): TraceEvent {
  const found = events.find(isWanted);
  if (found === undefined) throw new Error('The trace lacks an event that was waited for');
  return found;
}

function parseTrace(trace: Buffer): readonly TraceEvent[] {
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString());
  return traceEvents.toSorted((one, other) => one.ts - other.ts);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

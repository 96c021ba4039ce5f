// Reads a page's load times from a browser trace. The browser uses the same clock for all events in a trace.

import type { Browser } from 'playwright-core';

/** Milliseconds from the start of the navigation. */
export interface ScreenTimes {
  readonly firstPaint: number;
  /** The time at which the page finished handling the first key press or click. */
  readonly handled: number;
  /** The time from that key press or click until the page began to handle it. */
  readonly inputDelay: number;
  /** The total duration of later tasks that blocked the page for more than 50 ms. */
  readonly laterBlocking: number;
  /** Bytes transferred over the network. */
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
  /** The type of an input event. Its times are in milliseconds on the page's clock. */
  readonly type?: string;
  readonly timeStamp?: number;
  readonly processingStart?: number;
  readonly processingEnd?: number;
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'loading', 'blink.user_timing'];
const LONG_TASK_US = 50_000;
const INPUTS = new Set(['keydown', 'pointerdown']);

/** @param visit opens the page and sends the first key press or click */
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
  // The event's own timestamp is the time of the input.
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
  if (found === undefined) throw new Error('An expected event is missing from the trace');
  return found;
}

function parseTrace(trace: Buffer): readonly TraceEvent[] {
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString());
  return traceEvents.toSorted((one, other) => one.ts - other.ts);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

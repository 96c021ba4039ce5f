// What was observed while the fleet ran, in the order in which it ended. Times are those of one clock.

/** `cached` was answered from the memory of the same process before; `new` is asked for once. */
export type ReadKind = 'cached' | 'moving' | 'new';

export interface Reading {
  readonly node: string;
  readonly kind: ReadKind;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly isStale: boolean;
  /** What it shows of the counter; undefined where it is not about it. */
  readonly count: number | undefined;
}

export interface Publishing {
  readonly count: number;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `unreached` where the node that was to do it was away. */
  readonly outcome: 'published' | 'refused' | 'unreached';
}

/** A time in which something was not there: the primary, or a node by its name. */
export interface Absence {
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

export interface Recovery {
  readonly phase: string;
  readonly ms: number;
}

export interface Ledger {
  /** What is being done to the fleet. */
  phase: string;
  readonly readings: Reading[];
  readonly publishings: Publishing[];
  readonly absences: Absence[];
  readonly recoveries: Recovery[];
  /** Requests that a node which was away refused to connect, or whose connection it closed; they were sent again. */
  refusedConnections: number;
  closedConnections: number;
  listenersCut: number;
  /** The most that the nodes held to the primary at one time. */
  mostConnections: number;
  /** What must not happen at all, in a sentence each. */
  readonly faults: string[];
}

export function openLedger(): Ledger {
  return {
    phase: 'start',
    readings: [],
    publishings: [],
    absences: [],
    recoveries: [],
    refusedConnections: 0,
    closedConnections: 0,
    listenersCut: 0,
    mostConnections: 0,
    faults: [],
  };
}

// The observations while the fleet ran, in the order in which they ended. All times use one clock.

/** `cached` was answered from the memory of the same process before; `new` is requested once. */
export type ReadKind = 'cached' | 'moving' | 'new';

export interface Reading {
  readonly node: string;
  readonly kind: ReadKind;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly isStale: boolean;
  /** The counter it shows; undefined if it shows none. */
  readonly count: number | undefined;
}

export interface Publishing {
  readonly count: number;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `unreached` if the node in question was down. */
  readonly outcome: 'published' | 'refused' | 'unreached';
}

/** A period in which the primary, or a named node, was down. */
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
  /** What is happening to the fleet. */
  phase: string;
  readonly readings: Reading[];
  readonly publishings: Publishing[];
  readonly absences: Absence[];
  readonly recoveries: Recovery[];
  /** Requests that a stopped node refused or whose connection it closed; they were sent again. */
  refusedConnections: number;
  closedConnections: number;
  listenersCut: number;
  /** The maximum number of connections from the nodes to the primary. */
  mostConnections: number;
  /** Events that must not happen at all, one sentence each. */
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

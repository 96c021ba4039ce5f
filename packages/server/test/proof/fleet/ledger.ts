// The observations made while the fleet was running, in the order in which they ended. All times use one clock.

/** `cached`: the same process has already served the response from memory. `new`: the URL is requested only once. */
export type ReadKind = 'cached' | 'moving' | 'new';

export interface Reading {
  readonly node: string;
  readonly kind: ReadKind;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly isStale: boolean;
  /** The counter in the response, or undefined if there is none. */
  readonly count: number | undefined;
}

export interface Publishing {
  readonly count: number;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `unreached` if the node was down, `unknown` if the primary failed during a commit and the editor was told so. */
  readonly outcome: 'published' | 'refused' | 'unknown' | 'unreached';
}

/** A period during which the primary or a named node was down. */
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
  /** The fault that the fleet is currently exposed to. */
  phase: string;
  readonly readings: Reading[];
  readonly publishings: Publishing[];
  readonly absences: Absence[];
  readonly recoveries: Recovery[];
  /** Requests that a stopped node refused, or whose connection it closed. They were sent again. */
  refusedConnections: number;
  closedConnections: number;
  listenersCut: number;
  /** The maximum number of connections from the nodes to the primary. */
  mostConnections: number;
  /** Events that must never happen, one sentence each. */
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

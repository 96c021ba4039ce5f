// Where the traffic of all processes on a port comes together: in the process itself, unless there are others.

import { type AccountTraffic, TrafficHistories, type TrafficMinute } from './traffic-history.ts';

export interface TrafficLedger {
  readonly add: (seen: AccountTraffic) => void;
  /** The last hour of an account up to this moment. */
  readonly read: (accountNo: number) => Promise<readonly TrafficMinute[]>;
  /** @param look called before anybody is told anything, to add what was seen since */
  readonly beforeRead: (look: () => void) => void;
}

export function createTrafficLedger(now: () => number): TrafficLedger {
  const histories = new TrafficHistories();
  const looks: (() => void)[] = [];
  return {
    add: (seen) => histories.add(seen),
    read: async (accountNo) => {
      for (const look of looks) look();
      return histories.listMinutes(accountNo, now());
    },
    beforeRead: (look) => looks.push(look),
  };
}

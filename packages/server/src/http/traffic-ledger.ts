// Where the traffic of all processes on a port comes together: in the process itself, unless there are others.

import { TrafficHistory, type TrafficMinute } from './traffic-history.ts';

export interface TrafficLedger {
  readonly add: (seen: TrafficMinute) => void;
  /** The last hour up to this moment. */
  readonly read: () => Promise<readonly TrafficMinute[]>;
  /** @param look called before anybody is told anything, to add what was seen since */
  readonly beforeRead: (look: () => void) => void;
}

export function createTrafficLedger(now: () => number): TrafficLedger {
  const history = new TrafficHistory();
  const looks: (() => void)[] = [];
  return {
    add: (seen) => history.add(seen),
    read: async () => {
      for (const look of looks) look();
      return history.listMinutes(now());
    },
    beforeRead: (look) => looks.push(look),
  };
}

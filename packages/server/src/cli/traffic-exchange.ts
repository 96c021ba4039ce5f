import type { TrafficExchange } from '../http/traffic-history.ts';
import { isTrafficMessage, type TrafficMessage } from './worker-message.ts';

/** In a worker; the first process hands on what it is told to all other workers. */
export function openTrafficExchange(): TrafficExchange {
  return {
    tell: (traffic) => process.send?.({ traffic } satisfies TrafficMessage),
    listen: (take) => {
      process.on('message', (message) => {
        if (isTrafficMessage(message)) take(message.traffic);
      });
    },
  };
}

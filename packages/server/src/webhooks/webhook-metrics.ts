import { Counter, Gauge, type Registry } from 'prom-client';
import type { SenderWatch } from './sender.ts';

export function registerWebhookMetrics(registry: Registry): SenderWatch {
  const registers = [registry];
  const calls = new Counter({
    name: 'galley_webhook_calls_total',
    help: 'Attempts to deliver webhook calls, by outcome. A retried call will be tried again later; a failed one will not.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['delivered', 'retried', 'failed']) calls.inc({ outcome }, 0);
  const waiting = new Gauge({
    name: 'galley_webhook_calls_waiting',
    help: 'Webhook calls that are waiting to be delivered. Only the process that sends them reports a number other than 0.',
    aggregator: 'max',
    registers,
  });
  return {
    looked: (count) => waiting.set(count),
    attempted: (outcome) => {
      if (outcome !== 'dropped') calls.inc({ outcome });
    },
  };
}

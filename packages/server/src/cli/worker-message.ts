// What the first process and its workers tell each other.

import { isJsonObject } from '../content/json-object.ts';
import type { TrafficMinute } from '../http/traffic-history.ts';

export const STOP_MESSAGE = 'stop';

export interface ReadyMessage {
  /** Where the worker listens. */
  readonly url: string;
}

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return isJsonObject(message) && typeof message.url === 'string';
}

/** A worker is asked for the figures of all; only the first process can ask the others. */
export interface MetricsRequest {
  readonly metricsRequest: number;
}

export interface MetricsReply {
  readonly metricsReply: number;
  /** Undefined where they could not be had. */
  readonly text?: string | undefined;
}

export function isMetricsRequest(message: unknown): message is MetricsRequest {
  return isJsonObject(message) && typeof message.metricsRequest === 'number';
}

export function isMetricsReply(message: unknown): message is MetricsReply {
  return isJsonObject(message) && typeof message.metricsReply === 'number';
}

/** What one worker has seen of the traffic, for all others. */
export interface TrafficMessage {
  readonly traffic: TrafficMinute;
}

export function isTrafficMessage(message: unknown): message is TrafficMessage {
  return isJsonObject(message) && isJsonObject(message.traffic);
}

// What the first process and its workers tell each other.

import { isJsonObject } from '../content/json-object.ts';
import type { AccountTraffic } from '../http/traffic.ts';

export const STOP_MESSAGE = 'stop';

export interface ReadyMessage {
  /** Where the worker listens. */
  readonly url: string;
}

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return isJsonObject(message) && typeof message.url === 'string';
}

/** What is known of all workers together, and so to the first process alone. */
export type Subject = 'metrics' | 'traffic';

export interface Question {
  readonly question: number;
  readonly about: Subject;
  /** Whose, where it is about an account. */
  readonly accountNo: number | undefined;
}

export interface Reply {
  readonly reply: number;
  /** Undefined where it could not be had. */
  readonly value?: unknown;
}

export function isQuestion(message: unknown): message is Question {
  return isJsonObject(message) && typeof message.question === 'number';
}

export function isReply(message: unknown): message is Reply {
  return isJsonObject(message) && typeof message.reply === 'number';
}

/** What a worker has seen of the traffic since it last told. */
export interface TrafficMessage {
  readonly traffic: AccountTraffic;
}

export function isTrafficMessage(message: unknown): message is TrafficMessage {
  return isJsonObject(message) && isJsonObject(message.traffic);
}

/** Has a worker tell what it has seen of the traffic, and then say that it has. */
export interface LookMessage {
  readonly look: number;
}

export interface LookedMessage {
  readonly looked: number;
}

export function isLookMessage(message: unknown): message is LookMessage {
  return isJsonObject(message) && typeof message.look === 'number';
}

export function isLookedMessage(message: unknown): message is LookedMessage {
  return isJsonObject(message) && typeof message.looked === 'number';
}

// What the first process and its workers tell each other.

import { isJsonObject } from '../content/json-object.ts';

export const STOP_MESSAGE = 'stop';

export interface ReadyMessage {
  /** Where the worker listens. */
  readonly url: string;
}

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return isJsonObject(message) && typeof message.url === 'string';
}

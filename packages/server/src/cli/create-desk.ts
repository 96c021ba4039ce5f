import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Desk } from '../authoring/desk.ts';
import type { Storage } from '../storage/port.ts';

/** Where a command does its work. */
export function createDesk(storage: Storage): Desk {
  return { storage, now: Date.now, newUuid: randomUUIDv7, randomBytes };
}

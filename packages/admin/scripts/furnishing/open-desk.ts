// A `Desk` that derives IDs and secrets from a counter, so that every run produces the same values.

import { createHash } from 'node:crypto';
import type { Desk } from '../../../server/src/authoring/desk.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';

export function openDesk(storage: Storage, now: () => number): Desk {
  let count = 0;
  const makeBytes = (length: number): Buffer => {
    count += 1;
    return createHash('shake256', { outputLength: length }).update(`galley ${count}`).digest();
  };
  return { storage, now, randomBytes: makeBytes, newUuid: () => buildUuid(now(), makeBytes(10).toString('hex')) };
}

/** A UUIDv7, so that IDs sort by creation time. */
function buildUuid(time: number, random: string): string {
  const start = time.toString(16).padStart(12, '0');
  const parts = [start.slice(0, 8), start.slice(8), `7${random.slice(0, 3)}`, `8${random.slice(3, 6)}`];
  return [...parts, random.slice(6, 18)].join('-');
}

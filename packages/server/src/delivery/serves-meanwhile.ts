// Whether readers still get answers while the database that is written to cannot be asked: from replicas, or from memory.

import { CheckTimeout } from '../http/health.ts';
import { type Storage, StorageUnavailable } from '../storage/port.ts';

export interface StaleLimits {
  readonly staleMs: number;
  readonly cacheMb: number;
}

/** @param failure what a look at the database has failed with */
export function servesMeanwhile(
  failure: unknown,
  storage: Pick<Storage, 'delivery' | 'figures'>,
  { staleMs, cacheMb }: StaleLimits,
): boolean {
  if (!(failure instanceof StorageUnavailable || failure instanceof CheckTimeout)) return false;
  if (storage.figures()?.replicas.some(({ isUsed }) => isUsed)) return true;
  const outageMs = storage.delivery.outageMs();
  return outageMs !== undefined && outageMs <= staleMs && cacheMb > 0;
}

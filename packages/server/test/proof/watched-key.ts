// A key whose permissions change while readers use it. The responses that are allowed for a request depend on when it started and ended.

import { type Asking, type Connection, isHit } from '../support/connection.ts';

export interface WatchedKey {
  readonly id: string;
  readonly token: string;
  /** The statuses that requests with the key should get, in order. */
  readonly statuses: number[];
  /** The index in `statuses` after the last change that has begun, and after the last one that has returned. */
  begun(): number;
  returned(): number;
  /** The number of responses since the last change returned. */
  settledReads: number;
}

export interface KeyFindings {
  reads: number;
  hits: number;
  refused: number;
  readonly faults: string[];
}

/** A key that is changed by calls. */
export function watchKey({ id, token }: { readonly id: string; readonly token: string }) {
  let begun = 0;
  let returned = 0;
  const key: WatchedKey = {
    id,
    token,
    statuses: [200],
    begun: () => begun,
    returned: () => returned,
    settledReads: 0,
  };
  async function change(status: number, call: () => Promise<unknown>): Promise<void> {
    key.statuses.push(status);
    begun += 1;
    await call();
    returned += 1;
    key.settledReads = 0;
  }
  return { key, change };
}

/** A key that expires on its own. The service and its readers share a clock. */
export function watchExpiringKey(
  { id, token }: { readonly id: string; readonly token: string },
  expiresAt: number,
): WatchedKey {
  const phase = () => (Date.now() >= expiresAt ? 1 : 0);
  return { id, token, statuses: [200, 401], begun: phase, returned: phase, settledReads: 0 };
}

export async function readWithKey(
  connection: Connection,
  key: WatchedKey,
  asking: Asking,
  findings: KeyFindings,
): Promise<void> {
  const first = key.returned();
  const headers = { ...asking.headers, authorization: `Bearer ${key.token}` };
  const received = await connection.ask({ ...asking, headers });
  const last = key.begun();
  const allowed = key.statuses.slice(first, last + 1);
  if (!allowed.includes(received.status)) {
    findings.faults.push(`${asking.target} with ${key.id} returned ${received.status}, not ${allowed.join(' or ')}`);
  }
  if (key.returned() === first && first === key.statuses.length - 1) key.settledReads += 1;
  findings.reads += 1;
  if (isHit(received)) findings.hits += 1;
  if (received.status !== 200) findings.refused += 1;
}

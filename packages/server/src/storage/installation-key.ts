// The secret that all processes and nodes using a database share, and the keys derived from it.

import { hkdfSync } from 'node:crypto';
import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from './statement.ts';

export const INSTALLATION_KEY_BYTES = 32;
const DERIVED_BYTES = 32;

const selectSecret = defineStatement(() => sql`select secret from installation_keys`);

export function* selectInstallationKey(): Procedure<Buffer> {
  const [row] = yield* query<{ secret: string }>(selectSecret);
  const key = Buffer.from(row?.secret ?? '', 'hex');
  if (key.length !== INSTALLATION_KEY_BYTES) throw new Error('The database has no installation key');
  return key;
}

/** Derives a key for one purpose. The key reveals nothing about the keys for other labels, or about the secret. */
export function deriveKey(installationKey: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', installationKey, '', `galley ${label}`, DERIVED_BYTES));
}

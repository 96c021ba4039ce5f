// The installation's secret, generated once. Each part of the service derives its keys for signing and encryption from it.
// Anyone who knows it can forge cursors and signed cookies, so it is never included in API responses or bundles.

import { randomBytes } from 'node:crypto';
import type { ColumnTypes } from '../engine.ts';
import { INSTALLATION_KEY_BYTES } from '../installation-key.ts';

export function createInstallationKey({ integer, text, narrowTable }: ColumnTypes): readonly string[] {
  const secret = randomBytes(INSTALLATION_KEY_BYTES).toString('hex');
  return [
    `create table installation_keys (no ${integer} primary key check (no = 1), secret ${text} not null) ${narrowTable}`,
    `insert into installation_keys (no, secret) values (1, '${secret}')`,
  ];
}

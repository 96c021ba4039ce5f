// A secret of the installation, made once, from which each part of the service derives the keys that it signs or seals with.
// Whoever knows it can forge cursors and signed cookies: no API shows it, and no bundle has it.

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

// Request ids tell log lines and answers of all nodes apart. They are no secret, but nobody should be able to guess
// another process's ids; a counter behind a random prefix gives both for the price of an addition.

import { randomBytes } from 'node:crypto';

const PREFIX = randomBytes(8).toString('hex');

let count = 0;

export function createRequestId(): string {
  count += 1;
  return `${PREFIX}-${count.toString(36)}`;
}

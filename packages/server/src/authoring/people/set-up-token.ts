// The token without which nobody sets up an installation: whoever reads what the service prints, and nobody else, has it.
// It is derived, so that all nodes and every start of an installation know the same one; once there is a user, nothing
// takes it any more.

import { buildToken } from '../../content/api-token.ts';
import type { Storage } from '../../storage/port.ts';

/** 160 bits: no guess finds it, and its link fits on a line of a terminal. */
const SET_UP_TOKEN_BYTES = 20;

export function buildSetUpToken(storage: Pick<Storage, 'deriveKey'>): string {
  return buildToken('setUp', storage.deriveKey('set-up token').subarray(0, SET_UP_TOKEN_BYTES));
}

// Checks the URLs of pictures and files: every response that shows them contains them, so they must not be too long, and a `data:`
// URL must be a picture. Saved URLs are not checked again. Imports have only one of these rules: no pictures that run code.

import type { Fault } from '../content/fault.ts';
import { findDataFaults } from '../content/find-data-faults.ts';
import { findDataMediaType } from '../content/media-type.ts';

const MOST_CHARACTERS = 2048;

/**
 * @param path the path of the address in the request
 * @param before the address that it replaces
 */
export function findAddressFaults(
  path: string,
  address: string | null | undefined,
  before: string | null = null,
): readonly Fault[] {
  if (address === null || address === undefined || address === before) return [];
  if (findDataMediaType(address) !== undefined) return findDataFaults(address).map((message) => ({ path, message }));
  if (address.length <= MOST_CHARACTERS) return [];
  const { length } = address;
  const message = `must have at most ${MOST_CHARACTERS} characters, got ${length}`;
  return [{ path, message, code: 'too_long', values: { max: MOST_CHARACTERS, length } }];
}

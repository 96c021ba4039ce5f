// URLs of pictures and files must not be too long to be printed with every object, and a `data:` URL must be a picture. URLs that
// were saved before are not checked again. Bundles are only kept from bringing pictures that run code.

import type { Fault } from '../content/fault.ts';
import { findDataFaults } from '../content/find-data-faults.ts';
import { findDataMediaType } from '../content/media-type.ts';

const MOST_CHARACTERS = 2048;

/**
 * @param path where the address was given
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
  return [{ path, message: `must have at most ${MOST_CHARACTERS} characters, got ${address.length}` }];
}

// What an address must not be, beyond its shape: too long to be printed with every object, or anything but a picture in a `data:` address.
// Addresses from before are not held to this. Bundles are only kept from bringing pictures that run code.

import type { Fault } from '../content/fault.ts';
import { findDataFaults } from '../content/find-data-faults.ts';
import { findDataMediaType } from '../content/media-type.ts';

const MOST_CHARACTERS = 2048;

/**
 * @param path where the address was given
 * @param before the address that it takes the place of
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

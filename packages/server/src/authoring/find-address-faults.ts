// Checks the URLs of pictures and files. They appear in every response that includes the asset, so they must not be too long. A `data:` URL
// must contain a picture. URLs that are already saved are not checked again. Imports check only that no picture can run code.

import type { Fault } from '../content/fault.ts';
import { findDataFaults } from '../content/find-data-faults.ts';
import { findDataMediaType } from '../content/media-type.ts';

const MOST_CHARACTERS = 2048;

/**
 * @param path the path of the URL in the request
 * @param before the URL that is being replaced
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

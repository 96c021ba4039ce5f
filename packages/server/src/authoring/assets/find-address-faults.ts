// What an address must not be, beyond its shape: too long to be printed with every object, or a document that runs code.
// Addresses from before are not held to this. Bundles are only kept from bringing pictures that run code.

import { findDataAddressFault } from '../../content/asset-definition.ts';
import type { Fault } from '../../content/fault.ts';
import { findDataSvgFaults } from '../../content/find-svg-faults.ts';
import { findDataMediaType } from '../../content/media-type.ts';

const MOST_CHARACTERS = 2048;
const SVG = 'image/svg+xml';
const XML_TYPE = /[/+]xml$/;

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
  const mediaType = findDataMediaType(address);
  if (mediaType === undefined) {
    if (address.length <= MOST_CHARACTERS) return [];
    return [{ path, message: `must have at most ${MOST_CHARACTERS} characters, got ${address.length}` }];
  }
  const fault = findDataAddressFault(address);
  if (fault !== undefined) return [{ path, message: fault }];
  if (mediaType === SVG) return findDataSvgFaults(address).map((message) => ({ path, message }));
  if (!XML_TYPE.test(mediaType)) return [];
  return [{ path, message: `must not be a data: address of ${mediaType}, which browsers run` }];
}

/** A `data:` address says what it is; whoever serves it elsewhere goes by the media type, and must not be misled. */
export function findTypeFaults(address: string, mimeType: string): readonly Fault[] {
  const mediaType = findDataMediaType(address);
  if (mediaType === undefined || mediaType === mimeType) return [];
  return [{ path: 'mime_type', message: `must be ${mediaType}, as the data: address says, got ${mimeType}` }];
}

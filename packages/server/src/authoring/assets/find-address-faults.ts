// What an address must not be, beyond its shape: too long to be printed with every object, or a document that runs code.
// Bundles are not held to this: they come from whoever runs the service.

import type { Fault } from '../../content/fault.ts';
import { findDataSvgFaults } from '../../content/find-svg-faults.ts';
import { findDataMediaType } from '../../content/media-type.ts';

const MOST_CHARACTERS = 2048;
/** Whatever a `data:` address holds travels with every answer that shows it. */
const MOST_DATA_CHARACTERS = 100_000;
const SVG = 'image/svg+xml';
const ACTIVE_TYPE = /^(?:text\/html|(?:text|application)\/(?:x-)?(?:java|ecma)script|.*[/+]xml)$/;

/** @param path where the address was given */
export function findAddressFaults(path: string, address: string | null): readonly Fault[] {
  if (address === null) return [];
  const mediaType = findDataMediaType(address);
  const most = mediaType === undefined ? MOST_CHARACTERS : MOST_DATA_CHARACTERS;
  if (address.length > most) return [{ path, message: `must have at most ${most} characters, got ${address.length}` }];
  if (mediaType === SVG) return findDataSvgFaults(address).map((message) => ({ path, message }));
  if (mediaType === undefined || !ACTIVE_TYPE.test(mediaType)) return [];
  return [{ path, message: `must not be a data: address of ${mediaType}, which browsers run` }];
}

/** A `data:` address says what it is; whoever serves it elsewhere goes by the media type, and must not be misled. */
export function findTypeFaults(address: string, mimeType: string): readonly Fault[] {
  const mediaType = findDataMediaType(address);
  if (mediaType === undefined || mediaType === mimeType) return [];
  return [{ path: 'mime_type', message: `must be ${mediaType}, as the data: address says, got ${mimeType}` }];
}

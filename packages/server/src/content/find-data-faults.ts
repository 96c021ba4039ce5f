// Checks `data:` URLs. They must contain a small picture of the type that they declare, and the asset's other properties must match it,
// because sites use the extension or the media type to decide whether to inline a picture in their HTML.

import { decodeDataBytes } from './decode-data-address.ts';
import type { Fault } from './fault.ts';
import { findDataSvgFaults, hasCode, seemsToRunCode } from './find-svg-faults.ts';
import { findDataMediaType, findExtension, findMediaType } from './media-type.ts';

/** Kept small because a response contains the whole URL every time the asset appears. */
const MOST_BYTES = 16 * 1024;
const SVG = 'image/svg+xml';
/** Bitmap formats, with the first bytes of their files in hexadecimal. */
const PIXELS: ReadonlyMap<string, readonly [name: string, beginning: RegExp]> = new Map([
  ['image/png', ['PNG', /^89504e470d0a1a0a/]],
  ['image/jpeg', ['JPEG', /^ffd8ff/]],
  ['image/gif', ['GIF', /^474946383[79]61/]],
  ['image/webp', ['WebP', /^52494646.{8}57454250/]],
  ['image/avif', ['AVIF', /^.{8}66747970617669(?:66|73)/]],
  ['image/x-icon', ['ICO', /^00000100/]],
]);
const LONGEST_BEGINNING = 12;
const ALLOWED = [...PIXELS.keys(), SVG].join(', ');

/** Each fault completes a sentence: `must …`. */
export function findDataFaults(address: string): readonly string[] {
  const mediaType = findDataMediaType(address);
  if (mediaType === undefined) return [];
  const rule = `must be a picture of at most ${MOST_BYTES / 1024} KB if it is a data: URL`;
  if (mediaType !== SVG && !PIXELS.has(mediaType)) return [`${rule} (${ALLOWED}), got ${mediaType}`];
  const bytes = Buffer.byteLength(address);
  const size = bytes > MOST_BYTES ? [`${rule}, got ${Math.ceil(bytes / 1024)} KB`] : [];
  return [...size, ...(mediaType === SVG ? findDataSvgFaults(address) : findPixelFaults(address, mediaType))];
}

function findPixelFaults(address: string, mediaType: string): readonly string[] {
  const bytes = decodeDataBytes(address);
  if (!bytes.ok) return [bytes.problem];
  if (beginsAs(mediaType, bytes.value)) return [];
  return [`must contain a ${PIXELS.get(mediaType)?.[0]} picture to match ${mediaType}`];
}

function beginsAs(mediaType: string, bytes: Buffer): boolean {
  return PIXELS.get(mediaType)?.[1].test(bytes.toString('hex', 0, LONGEST_BEGINNING)) === true;
}

/** Contains only the properties that were given. */
interface DescribedAsset {
  readonly url: string;
  readonly path?: string | null;
  readonly extension?: string | null;
  readonly mime_type?: string | null;
}

/** Finds properties of an asset that contradict its `data:` URL. */
export function findMismatches({ url, path, extension, mime_type: mimeType }: DescribedAsset): readonly Fault[] {
  const mediaType = findDataMediaType(url);
  if (mediaType === undefined) return [];
  const faults: Fault[] = [];
  const refuse = (member: string, got: string): void => {
    faults.push({ path: member, message: `must match the data: URL, which is ${mediaType}, got ${got}` });
  };
  if (mimeType && mimeType !== mediaType) refuse('mime_type', mimeType);
  if (extension && !fitsType(extension, mediaType)) refuse('extension', extension);
  if (path && !fitsType(findExtension(path), mediaType)) refuse('path', path);
  return faults;
}

function fitsType(extension: string, mediaType: string): boolean {
  return extension === '' || findMediaType(extension) === mediaType;
}

/** Whether the asset might be an SVG image that runs code, or one that Galley cannot check. */
export function isHostilePicture({ url, path, extension, mime_type: mimeType }: DescribedAsset): boolean {
  const mediaType = findDataMediaType(url);
  if (mediaType === undefined) return false;
  if (mediaType === SVG) return findDataSvgFaults(url).length > 0 && seemsToRunCode(url);
  const bytes = decodeDataBytes(url);
  const extensions = [extension ?? '', findExtension(path ?? '')];
  const isCalledSvg = mimeType === SVG || extensions.some((each) => findMediaType(each) === SVG);
  if (!bytes.ok) return isCalledSvg;
  const maySeemDrawing = isCalledSvg || (mediaType.startsWith('image/') && !beginsAs(mediaType, bytes.value));
  return maySeemDrawing && hasCode(bytes.value.toString());
}

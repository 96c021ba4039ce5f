// The formats of variants: their media types, their limits, and which one `fm` selects.

import { fail, ok, type Result } from '../content/result.ts';
import type { OutputFormat } from './image-parameters.ts';
import type { SourceFormat } from './image-source.ts';
import type { Size } from './picture-turn.ts';

/** A modern format that a client says it can show. */
export type AcceptedFormat = 'avif' | 'webp';

interface FormatTraits {
  readonly name: string;
  readonly mediaType: string;
  readonly extension: string;
  readonly hasTransparency: boolean;
  readonly longestSide: number;
}

const JPEG: FormatTraits = {
  name: 'JPEG',
  mediaType: 'image/jpeg',
  extension: 'jpg',
  hasTransparency: false,
  longestSide: 65_535,
};

export const FORMAT_TRAITS: Readonly<Record<OutputFormat, FormatTraits>> = Object.freeze({
  jpg: JPEG,
  pjpg: JPEG,
  png: traits('PNG', 'png', 1_000_000),
  gif: traits('GIF', 'gif', 65_535),
  webp: traits('WebP', 'webp', 16_383),
  avif: traits('AVIF', 'avif', 16_384),
});

function traits(name: string, extension: string, longestSide: number): FormatTraits {
  return { name, mediaType: `image/${extension}`, extension, hasTransparency: true, longestSide };
}

/** Browsers cannot show TIFF or HEIC, so their variants are JPEG pictures. */
const FORMAT_OF_SOURCE: Readonly<Record<SourceFormat, OutputFormat>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  gif: 'gif',
  tiff: 'jpg',
  heic: 'jpg',
};

/** Reads an Accept header. Only the formats that it names count: programs that accept anything often cannot show modern formats. */
export function parseAcceptedFormats(accept: string | undefined): ReadonlySet<AcceptedFormat> {
  const accepted = new Set<AcceptedFormat>();
  for (const entry of accept?.toLowerCase().split(',') ?? []) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter));
    if (isRefused) continue;
    if (type === 'image/avif') accepted.add('avif');
    if (type === 'image/webp') accepted.add('webp');
  }
  return accepted;
}

/** @param couldMove whether the result would be an animation if its format allowed that */
export function chooseFormat(
  requested: OutputFormat | 'auto' | null,
  source: SourceFormat,
  accepted: ReadonlySet<AcceptedFormat>,
  couldMove: boolean,
  size: Size,
): Result<OutputFormat, string> {
  const own = FORMAT_OF_SOURCE[source];
  if (requested === 'auto') {
    // We cannot write animated AVIF pictures.
    const isAvif = accepted.has('avif') && !couldMove && isWithin('avif', size);
    if (isAvif) return ok('avif');
    if (accepted.has('webp') && isWithin('webp', size)) return ok('webp');
  }
  const format = requested === null || requested === 'auto' ? own : requested;
  if (isWithin(format, size)) return ok(format);
  const { name, longestSide } = FORMAT_TRAITS[format];
  const result = `${size.width} × ${size.height} pixels`;
  return fail(`The result would be ${result}; ${name} allows at most ${longestSide} pixels per side.`);
}

function isWithin(format: OutputFormat, { width, height }: Size): boolean {
  return Math.max(width, height) <= FORMAT_TRAITS[format].longestSide;
}

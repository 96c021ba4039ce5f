// The facts about an original, as text. They are kept on disk, so a variant can be found after a restart without opening its original,
// even while all image processes are busy.

import type { ImageSource, SourceFormat } from '../images/image-source.ts';

/** Increase this when the same file yields different facts. */
const FACTS_VERSION = 1;

const FORMATS: Readonly<Record<SourceFormat, true>> = {
  jpeg: true,
  png: true,
  webp: true,
  avif: true,
  gif: true,
  tiff: true,
  heic: true,
};

export function encodeImageFacts(source: ImageSource): string {
  return JSON.stringify({ version: FACTS_VERSION, source });
}

/** Undefined unless the text is in this version's format. */
export function parseImageFacts(text: string): ImageSource | undefined {
  let facts: unknown;
  try {
    facts = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof facts !== 'object' || facts === null || !('version' in facts) || !('source' in facts)) return undefined;
  return facts.version === FACTS_VERSION && isImageSource(facts.source) ? Object.freeze(facts.source) : undefined;
}

function isImageSource(value: unknown): value is ImageSource {
  if (typeof value !== 'object' || value === null) return false;
  const source: Partial<Record<keyof ImageSource, unknown>> = value;
  return (
    typeof source.format === 'string' &&
    source.format in FORMATS &&
    [source.width, source.height, source.orientation, source.pages].every(Number.isSafeInteger) &&
    typeof source.hasAlpha === 'boolean' &&
    typeof source.isGreyscale === 'boolean'
  );
}

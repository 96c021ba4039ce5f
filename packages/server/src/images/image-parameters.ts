// Parses the query of an image URL into one frozen value. Queries for the same picture have equal values: presets are merged,
// `dpr` is multiplied into the sizes, and parameters without an effect are dropped.

import { fail, ok, type Result } from '../content/result.ts';
import type { Colour } from './colour.ts';
import {
  ASSET_ID,
  BORDER,
  type Border,
  COLOUR,
  CROP,
  decimalNumber,
  FIT,
  type Fit,
  type Length,
  LONGEST_SIDE,
  length,
  oneOf,
  POSITION,
  type Point,
  quoteValue,
  type Rectangle,
  type ValueRule,
  wholeNumber,
} from './parameter-values.ts';

export type OutputFormat = 'jpg' | 'pjpg' | 'png' | 'gif' | 'webp' | 'avif';

export interface MarkParameters {
  readonly assetId: string;
  readonly width: Length | null;
  readonly height: Length | null;
  readonly fit: Fit;
  /** The distance from the edges at `position`; from the centre if the position is in the middle of an axis. */
  readonly offsetX: Length;
  readonly offsetY: Length;
  readonly position: Point;
  /** In percent. */
  readonly opacity: number;
}

export interface ImageParameters {
  /** The width of the result in pixels, with `dpr` applied. */
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: Fit;
  readonly crop: Rectangle | null;
  /** Degrees counter-clockwise, or `auto` to follow the orientation in the file. */
  readonly rotation: 'auto' | '0' | '90' | '180' | '270';
  readonly flip: 'h' | 'v' | 'both' | null;
  readonly brightness: number;
  readonly contrast: number;
  readonly gamma: number;
  readonly sharpness: number;
  readonly blur: number;
  /** The side of a block in pixels, at least 2; 0 for no blocks. */
  readonly blockSize: number;
  readonly filter: 'greyscale' | 'sepia' | null;
  readonly background: Colour | null;
  readonly border: Border | null;
  readonly mark: MarkParameters | null;
  /** Null means the format's default. */
  readonly quality: number | null;
  /** Null means the original's format. */
  readonly format: OutputFormat | 'auto' | null;
}

/** The parameters that a site's owner has stored under a name, as a query string such as `w=300&h=200&fit=crop`. */
export type Presets = ReadonlyMap<string, string>;

const NAMES = [
  ...(['w', 'h', 'fit', 'crop', 'dpr', 'or', 'flip', 'bri', 'con', 'gam', 'sharp', 'blur', 'pixel', 'filt'] as const),
  ...(['bg', 'border', 'mark', 'markw', 'markh', 'markfit', 'markx', 'marky', 'markpad', 'markpos'] as const),
  ...(['markalpha', 'q', 'fm', 'p', 's'] as const),
] as const;

export type ImageParameter = (typeof NAMES)[number];

/** All parameters that Galley supports. Others are ignored, because cache-busters are common. */
export const IMAGE_PARAMETERS: ReadonlySet<string> = new Set(NAMES);

/** Parameters that select or protect a transformation, but are not part of it. */
const OUTSIDE_PRESETS: ReadonlySet<string> = new Set(['p', 's']);

/** Whether a preset may contain the parameter. */
export function isTransformation(name: string): boolean {
  return IMAGE_PARAMETERS.has(name) && !OUTSIDE_PRESETS.has(name);
}

const DEFAULT_QUALITY = 85;
const DEFAULT_AVIF_QUALITY = 55;
const CONTAIN: Fit = Object.freeze({ kind: 'contain' });
const NO_LENGTH: Length = Object.freeze({ amount: 0, unit: 'pixels' });
const BOTTOM_RIGHT: Point = Object.freeze({ x: 100, y: 100 });

/** @param pairs the decoded names and values of the query, in any order */
export function parseImageParameters(
  pairs: Iterable<readonly [name: string, value: string]>,
  presets: Presets,
): Result<ImageParameters, string> {
  const given = collectValues(pairs, presets);
  if (!given.ok) return given;
  const reader = new ValueReader(given.value);
  const parameters = readParameters(reader);
  return reader.problem === undefined ? ok(parameters) : fail(reader.problem);
}

interface GivenValue {
  readonly text: string;
  readonly preset: string | null;
}

function collectValues(
  pairs: Iterable<readonly [string, string]>,
  presets: Presets,
): Result<ReadonlyMap<string, GivenValue>, string> {
  const explicit = new Map<string, GivenValue>();
  for (const [name, text] of pairs) {
    if (!IMAGE_PARAMETERS.has(name)) continue;
    if (explicit.has(name)) return fail(`The ${name} parameter is given more than once; it takes one value.`);
    explicit.set(name, { text, preset: null });
  }
  const names = explicit.get('p')?.text;
  if (names === undefined) return ok(explicit);
  const merged = new Map<string, GivenValue>();
  for (const preset of names.split(',')) {
    const query = presets.get(preset);
    if (query === undefined) return fail(describeUnknownPreset(preset, presets));
    for (const [name, text] of new URLSearchParams(query)) {
      if (isTransformation(name)) merged.set(name, { text, preset });
    }
  }
  for (const [name, value] of explicit) merged.set(name, value);
  return ok(merged);
}

const MOST_NAMES_SHOWN = 10;

function describeUnknownPreset(name: string, presets: Presets): string {
  const known = [...presets.keys()].slice(0, MOST_NAMES_SHOWN).map(quoteValue).join(', ');
  const allowed =
    presets.size === 0 ? 'this site has no presets' : `it must be a list of preset names, such as ${known}`;
  return `The p parameter contains ${quoteValue(name)}; ${allowed}.`;
}

/** Reads values according to their rules and remembers the first problem. */
class ValueReader {
  readonly #given: ReadonlyMap<string, GivenValue>;
  problem: string | undefined;

  constructor(given: ReadonlyMap<string, GivenValue>) {
    this.#given = given;
  }

  read<Value>(name: ImageParameter, rule: ValueRule<Value>): Value | undefined {
    const given = this.#given.get(name);
    if (given === undefined) return undefined;
    const value = rule.parse(given.text);
    if (value === undefined) {
      const where = given.preset === null ? '' : ` in the preset ${quoteValue(given.preset)}`;
      this.problem ??= `The ${name} parameter${where} is ${quoteValue(given.text)}; it must be ${rule.allowed}.`;
    }
    return value;
  }
}

const SIDE = wholeNumber(1, LONGEST_SIDE);
const STRENGTH = wholeNumber(0, 100);
const LEVEL = wholeNumber(-100, 100);
const OFFSET = length(0);
const MARK_SIDE = length(1);

function readParameters(reader: ValueReader): ImageParameters {
  const dpr = reader.read('dpr', decimalNumber(1, 8)) ?? 1;
  const width = scale(reader.read('w', SIDE), dpr);
  const height = scale(reader.read('h', SIDE), dpr);
  const format = reader.read('fm', oneOf(['jpg', 'pjpg', 'png', 'gif', 'webp', 'avif', 'auto'])) ?? null;
  const blockSize = reader.read('pixel', wholeNumber(0, 1000)) ?? 0;
  const border = reader.read('border', BORDER) ?? null;
  return Object.freeze({
    width,
    height,
    fit: simplifyFit(reader.read('fit', FIT) ?? CONTAIN, width, height),
    crop: reader.read('crop', CROP) ?? null,
    rotation: reader.read('or', oneOf(['auto', '0', '90', '180', '270'])) ?? 'auto',
    flip: reader.read('flip', oneOf(['v', 'h', 'both'])) ?? null,
    brightness: reader.read('bri', LEVEL) ?? 0,
    contrast: reader.read('con', LEVEL) ?? 0,
    gamma: reader.read('gam', decimalNumber(0.1, 9.99)) ?? 1,
    sharpness: reader.read('sharp', STRENGTH) ?? 0,
    blur: reader.read('blur', STRENGTH) ?? 0,
    // A block of one pixel is the pixel itself.
    blockSize: blockSize > 1 ? blockSize : 0,
    filter: reader.read('filt', oneOf(['greyscale', 'sepia'])) ?? null,
    background: reader.read('bg', COLOUR) ?? null,
    border: border?.width.amount === 0 ? null : border,
    mark: readMark(reader),
    quality: simplifyQuality(reader.read('q', STRENGTH), format),
    format,
  });
}

function scale(side: number | undefined, dpr: number): number | null {
  return side === undefined ? null : Math.round(side * dpr);
}

/** If only one side is given, there is nothing to fill or cut off, so most methods produce the same picture. */
function simplifyFit(fit: Fit, width: number | null, height: number | null): Fit {
  if (width !== null && height !== null) return fit;
  if (fit.kind === 'crop') return fit.zoom > 1 ? fit : CONTAIN;
  if (width === null && height === null) return CONTAIN;
  return fit.kind === 'fill' || fit.kind === 'max' ? fit : CONTAIN;
}

function readMark(reader: ValueReader): MarkParameters | null {
  const assetId = reader.read('mark', ASSET_ID);
  const width = reader.read('markw', MARK_SIDE) ?? null;
  const height = reader.read('markh', MARK_SIDE) ?? null;
  const fit = reader.read('markfit', FIT) ?? CONTAIN;
  const offsetX = reader.read('markx', OFFSET) ?? NO_LENGTH;
  const offsetY = reader.read('marky', OFFSET) ?? NO_LENGTH;
  const padding = reader.read('markpad', OFFSET);
  const position = reader.read('markpos', POSITION) ?? BOTTOM_RIGHT;
  const opacity = reader.read('markalpha', STRENGTH) ?? 100;
  if (assetId === undefined || opacity === 0) return null;
  return Object.freeze({
    assetId,
    width,
    height,
    fit,
    offsetX: padding ?? offsetX,
    offsetY: padding ?? offsetY,
    position,
    opacity,
  });
}

/** Null for the default and for formats without a quality setting. */
function simplifyQuality(quality: number | undefined, format: OutputFormat | 'auto' | null): number | null {
  if (quality === undefined || format === 'png' || format === 'gif') return null;
  if (format === null || format === 'auto') return quality;
  return quality === findDefaultQuality(format) ? null : quality;
}

export function findDefaultQuality(format: OutputFormat): number {
  return format === 'avif' ? DEFAULT_AVIF_QUALITY : DEFAULT_QUALITY;
}

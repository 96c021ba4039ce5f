// The size of an SVG image in CSS pixels, as its root element specifies it.

export interface SvgSize {
  readonly width: number | null;
  readonly height: number | null;
}

const NO_SIZE: SvgSize = Object.freeze({ width: null, height: null });
/** CSS pixels per unit. Other units depend on where the picture is shown. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  pt: 96 / 72,
  pc: 16,
};
const MOST_PIXELS = 1_000_000;

/** @param svg the output of `sanitiseSvg` */
export function readSvgSize(svg: string): SvgSize {
  // `sanitiseSvg` has escaped any character in a value that would end the tag.
  const tag = svg.slice(0, svg.indexOf('>'));
  const width = readLength(readAttribute(tag, 'width'));
  const height = readLength(readAttribute(tag, 'height'));
  const box = readViewBox(readAttribute(tag, 'viewBox'));
  if (width !== undefined && height !== undefined) return buildSize(width, height);
  if (box === undefined) return NO_SIZE;
  if (width !== undefined) return buildSize(width, (width * box.height) / box.width);
  if (height !== undefined) return buildSize((height * box.width) / box.height, height);
  return buildSize(box.width, box.height);
}

function readAttribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.trim() ?? '';
}

// No two parts of the pattern can match the same digits, so a long number that is not a length takes no longer than one that is.
const LENGTH = /^\+?((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$/i;

function readLength(text: string): number | undefined {
  const [, number = '', unit = ''] = LENGTH.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  return number === '' || factor === undefined ? undefined : Number(number) * factor;
}

function readViewBox(text: string): { readonly width: number; readonly height: number } | undefined {
  const [, , width = Number.NaN, height = Number.NaN] = text.split(/[\s,]+/).map(Number);
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function buildSize(width: number, height: number): SvgSize {
  const size = { width: Math.round(width), height: Math.round(height) };
  const isUsable = [size.width, size.height].every((side) => side >= 1 && side <= MOST_PIXELS);
  return isUsable ? size : NO_SIZE;
}

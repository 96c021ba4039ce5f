// Effects that change each pixel or block separately, on RGBA pixels in memory. Their strengths match those of the GD library, because
// existing image URLs were tuned with it.

import type { Effects } from './plan-image.ts';

export interface Pixels {
  /** Four bytes per pixel: red, green, blue, alpha. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

type Curve = (value: number) => number;

/** Brightness, contrast and gamma, in this order. */
export function applyTones({ bytes }: Pixels, { brightness, contrast, gamma }: Effects): void {
  const curves: Curve[] = [];
  if (brightness !== 0) curves.push(brighten(brightness));
  if (contrast !== 0) curves.push(addContrast(contrast));
  if (gamma !== 1) curves.push((value) => 255 * (value / 255) ** (1 / gamma));
  if (curves.length === 0) return;
  const table = buildTable(curves);
  for (let at = 0; at < bytes.length; at += 4) {
    bytes[at] = table[bytes[at] ?? 0] ?? 0;
    bytes[at + 1] = table[bytes[at + 1] ?? 0] ?? 0;
    bytes[at + 2] = table[bytes[at + 2] ?? 0] ?? 0;
  }
}

/** @param level -100 is black, 100 is white */
function brighten(level: number): Curve {
  return (value) => value + Math.trunc(level * 2.55);
}

/** @param level at -100, everything is grey */
function addContrast(level: number): Curve {
  const factor = ((100 + level) / 100) ** 2;
  return (value) => ((value / 255 - 0.5) * factor + 0.5) * 255;
}

/** Each curve receives whole numbers, as if the previous one had written pixels. */
function buildTable(curves: readonly Curve[]): Uint8ClampedArray {
  let table = Uint8ClampedArray.from({ length: 256 }, (_, value) => value);
  for (const curve of curves) table = table.map((value) => curve(value));
  return table;
}

const SEPIA_TONES: readonly Curve[] = [brighten(-10), addContrast(10)];

export function applyFilter({ bytes }: Pixels, filter: 'greyscale' | 'sepia'): void {
  const tint = (level: number): Uint8ClampedArray =>
    buildTable(filter === 'sepia' ? [...SEPIA_TONES, (value) => value + Math.round(level * 2.55), ...SEPIA_TONES] : []);
  const [reds, greens, blues] = [tint(38), tint(27), tint(12)];
  for (let at = 0; at < bytes.length; at += 4) {
    const red = bytes[at] ?? 0;
    const green = bytes[at + 1] ?? 0;
    const blue = bytes[at + 2] ?? 0;
    const grey = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    bytes[at] = reds[grey] ?? 0;
    bytes[at + 1] = greens[grey] ?? 0;
    bytes[at + 2] = blues[grey] ?? 0;
  }
}

/** Gives every pixel in a block the block's mean colour. Blocks at the right and bottom edges may be smaller. */
export function pixelate({ bytes, width, height }: Pixels, side: number): void {
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      levelBlock(bytes, width, left, top, Math.min(left + side, width), Math.min(top + side, height));
    }
  }
}

function levelBlock(bytes: Buffer, width: number, left: number, top: number, right: number, bottom: number): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4) {
      // The colour of a transparent pixel is ignored.
      const weight = bytes[at + 3] ?? 0;
      red += (bytes[at] ?? 0) * weight;
      green += (bytes[at + 1] ?? 0) * weight;
      blue += (bytes[at + 2] ?? 0) * weight;
      alpha += weight;
    }
  }
  const total = Math.max(1, alpha);
  const mean = Buffer.from([red / total, green / total, blue / total, 0].map(Math.round));
  mean[3] = Math.round(alpha / ((right - left) * (bottom - top)));
  const [meanRed = 0, meanGreen = 0, meanBlue = 0, meanAlpha = 0] = mean;
  for (let y = top; y < bottom; y += 1) {
    for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4) {
      bytes[at] = meanRed;
      bytes[at + 1] = meanGreen;
      bytes[at + 2] = meanBlue;
      bytes[at + 3] = meanAlpha;
    }
  }
}

/** Multiplies the alpha channel. @param percent 0 to 100 */
export function fade({ bytes }: Pixels, percent: number): void {
  if (percent === 100) return;
  for (let at = 3; at < bytes.length; at += 4) bytes[at] = Math.round(((bytes[at] ?? 0) * percent) / 100);
}

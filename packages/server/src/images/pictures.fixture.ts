// Pictures with known pixels, and helpers that turn a query string into the pixels of its result.

import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { parseImageParameters } from './image-parameters.ts';
import type { ImageSource } from './image-source.ts';
import { type ImagePlan, type PlanContext, planImage } from './plan-image.ts';
import { readImageSource } from './read-image-source.ts';
import { renderImage } from './render-image.ts';

type Rgba =
  | readonly [red: number, green: number, blue: number]
  | readonly [red: number, green: number, blue: number, alpha: number];

export const RED: Rgba = [255, 0, 0];
export const GREEN: Rgba = [0, 255, 0];
export const BLUE: Rgba = [0, 0, 255];
export const YELLOW: Rgba = [255, 255, 0];
export const WHITE: Rgba = [255, 255, 255];

/** @param colour the colour of each pixel; without an alpha value it is opaque */
export function drawPicture(width: number, height: number, colour: (x: number, y: number) => Rgba): Sharp {
  const bytes = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [red, green, blue, alpha = 255] = colour(at % width, Math.floor(at / width));
    bytes.set([red, green, blue, alpha], at * 4);
  }
  return sharp(bytes, { raw: { width, height, channels: 4 } });
}

/** An opaque PNG picture. */
export function drawPng(width: number, height: number, colour: (x: number, y: number) => Rgba): Promise<Buffer> {
  return drawPicture(width, height, colour).removeAlpha().png().toBuffer();
}

/** Each pixel shows where it is: red is its distance from the left, green its distance from the top. At most 256 pixels per side. */
export function drawMap(width: number, height: number): Promise<Buffer> {
  return drawPng(width, height, (x, y) => [x, y, 128]);
}

/** Red and green above blue and yellow. */
export function colourOfQuarter(width: number, height: number): (x: number, y: number) => Rgba {
  return (x, y) => (y < height / 2 ? (x < width / 2 ? RED : GREEN) : x < width / 2 ? BLUE : YELLOW);
}

export function drawQuarters(width: number, height: number): Promise<Buffer> {
  return drawPng(width, height, colourOfQuarter(width, height));
}

const NO_CONTEXT: PlanContext = { focalPoint: null, mark: null, accepted: new Set() };

export async function expectSource(picture: Buffer): Promise<ImageSource> {
  const source = await readImageSource(picture);
  if (!source.ok) throw new Error(source.problem.detail);
  return source.value;
}

/** The plan for a query, or the error message if it is refused. */
export function planQuery(query: string, source: ImageSource, context: Partial<PlanContext> = {}): ImagePlan | string {
  const parameters = parseImageParameters(new URLSearchParams(query), new Map());
  if (!parameters.ok) return parameters.problem;
  const plan = planImage(parameters.value, source, { ...NO_CONTEXT, ...context });
  return plan.ok ? plan.value : plan.problem;
}

export interface Transformed {
  readonly plan: ImagePlan;
  readonly file: Buffer;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha. Negative positions count from the right and the bottom. */
  readonly at: (x: number, y: number) => readonly number[];
}

interface TransformOptions {
  readonly focalPoint?: PlanContext['focalPoint'];
  readonly accepted?: PlanContext['accepted'];
  readonly mark?: Buffer;
}

export async function transform(picture: Buffer, query: string, options: TransformOptions = {}): Promise<Transformed> {
  const { mark, ...context } = options;
  const markSource = mark === undefined ? null : await expectSource(mark);
  const plan = planQuery(query, await expectSource(picture), { ...context, mark: markSource });
  if (typeof plan === 'string') throw new Error(plan);
  const rendered = await renderImage(plan, { picture, mark: mark ?? null });
  if (!rendered.ok) throw new Error(rendered.problem.detail);
  return { plan, file: rendered.value, ...(await readPicture(rendered.value)) };
}

async function readPicture(file: Buffer): Promise<Pick<Transformed, 'width' | 'height' | 'at'>> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    width,
    height,
    at: (x, y) => {
      const start = ((y < 0 ? height + y : y) * width + (x < 0 ? width + x : x)) * 4;
      return [...data.subarray(start, start + 4)];
    },
  };
}

/** An animated GIF picture with one colour per frame. */
export function drawAnimation(width: number, height: number, frames: readonly Rgba[]): Sharp {
  const bytes = Buffer.alloc(width * height * frames.length * 3);
  frames.forEach(([red, green, blue], frame) => {
    bytes.fill(Buffer.from([red, green, blue]), frame * width * height * 3, (frame + 1) * width * height * 3);
  });
  return sharp(bytes, { raw: { width, height: height * frames.length, channels: 3, pageHeight: height } });
}

export const OPAQUE = 255;

/** Lossy formats and interpolation change colours a little. */
export function expectColour(actual: readonly number[], expected: readonly number[], tolerance = 0): void {
  const [red = 0, green = 0, blue = 0, alpha = OPAQUE] = expected;
  const differences = [red, green, blue, alpha].map((value, index) => Math.abs(value - (actual[index] ?? -1000)));
  const isClose = Math.max(...differences) <= tolerance;
  if (!isClose) expect(actual).toEqual([red, green, blue, alpha]);
  expect(isClose).toBe(true);
}

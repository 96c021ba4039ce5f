// Carries out a plan with libvips. A picture that is only resized takes one pass from the file to the result, and the decoder scales while
// it reads. A result contains no metadata, and its colours are sRGB.

import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { fail, ok, type Result } from '../content/result.ts';
import type { Colour } from './colour.ts';
import type { OutputFormat } from './image-parameters.ts';
import { MOST_INPUT_PIXELS } from './image-source.ts';
import type { Rectangle } from './parameter-values.ts';
import { type Turn, turnSize } from './picture-turn.ts';
import { applyFilter, applyTones, fade, type Pixels, pixelate } from './pixel-effects.ts';
import type { Padding } from './plan-fit.ts';
import type { BorderPlan, Effects, ImagePlan, MarkPlan } from './plan-image.ts';
import type { PicturePlan } from './plan-picture.ts';

/** The path of a file, or its bytes. */
export type ImageInput = string | Buffer;

export interface RenderInput {
  readonly picture: ImageInput;
  /** The file for the plan's mark. */
  readonly mark: ImageInput | null;
}

/** The input is damaged, or not what the plan expects. The text is meant only for logs, because it may contain paths. */
export interface UnreadableImage {
  readonly detail: string;
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 } as const;

export async function renderImage(plan: ImagePlan, input: RenderInput): Promise<Result<Buffer, UnreadableImage>> {
  if (!plan.isLayered) {
    return tryToRead(async () => encode(await renderInOnePass(plan, input.picture), plan).toBuffer());
  }
  const picture = await readPixels(plan.picture, input.picture);
  if (!picture.ok) return picture;
  const layers: OverlayOptions[] = [];
  if (plan.mark !== null) {
    if (input.mark === null) throw new Error('The plan has a mark, but there is no file for it');
    const mark = await readMark(plan.mark, input.mark);
    if (!mark.ok) return mark;
    layers.push(mark.value);
  }
  const changed = plan.effects === null ? picture.value : await applyEffects(picture.value, plan.effects);
  return ok(await encode(await compose(plan, changed, layers), plan).toBuffer());
}

/** libvips reports damaged files only in error messages. A missing file is our own bug. */
export async function tryToRead<Value>(read: () => Promise<Value>): Promise<Result<Value, UnreadableImage>> {
  try {
    return ok(await read());
  } catch (error) {
    if (!(error instanceof Error) || /^Input file is missing/.test(error.message)) throw error;
    return fail({ detail: error.message });
  }
}

async function renderInOnePass({ picture: plan, backdrop, isAnimated }: ImagePlan, input: ImageInput): Promise<Sharp> {
  const picture = await decode(plan, input, isAnimated);
  if (backdrop !== null) picture.flatten({ background: asBackground(backdrop) });
  if (plan.padding !== null) {
    picture.extend({ ...plan.padding, background: backdrop === null ? TRANSPARENT : asBackground(backdrop) });
  }
  return picture;
}

/** Does everything except the padding. libvips runs these steps in the order of these calls. */
async function decode(plan: PicturePlan, input: ImageInput, isAnimated = false): Promise<Sharp> {
  const { cut, scaled, turn, window } = plan;
  const stored = sharp(input, { limitInputPixels: MOST_INPUT_PIXELS, failOn: 'error', animated: isAnimated });
  if (cut !== null) stored.extract(cut);
  const picture = plan.isTurnedFirst ? await turnInMemory(stored, turn) : stored;
  const size = scaled !== null && plan.isTurnedFirst ? turnSize(turn, scaled) : scaled;
  if (size !== null) picture.resize(size.width, size.height, { fit: 'fill' });
  if (!plan.isTurnedFirst) applyTurn(picture, turn);
  if (window !== null) picture.extract(window);
  return picture;
}

function applyTurn(picture: Sharp, turn: Turn): Sharp {
  if (turn.isMirrored) picture.flop();
  return turn.clockwise === 0 ? picture : picture.rotate(turn.clockwise);
}

async function turnInMemory(picture: Sharp, turn: Turn): Promise<Sharp> {
  const { data, info } = await applyTurn(picture, turn).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

function asBackground({ red, green, blue, alpha }: Colour) {
  return { r: red, g: green, b: blue, alpha: alpha / 255 };
}

async function readPixels(plan: PicturePlan, input: ImageInput): Promise<Result<Pixels, UnreadableImage>> {
  return tryToRead(async () => takePixels(await decode(plan, input)));
}

async function takePixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

function asPicture({ bytes, width, height }: Pixels): Sharp {
  return sharp(bytes, { raw: { width, height, channels: 4 }, limitInputPixels: false });
}

async function readMark(
  { picture: plan, visible, left, top, opacity }: MarkPlan,
  input: ImageInput,
): Promise<Result<OverlayOptions, UnreadableImage>> {
  const mark = await readPixels(plan, input);
  if (!mark.ok) return mark;
  const padded = plan.padding === null ? mark.value : await takePixels(pad(asPicture(mark.value), plan.padding));
  const { bytes, width, height } = await takePixels(asPicture(padded).extract(visible));
  fade({ bytes, width, height }, opacity);
  return ok({ input: bytes, raw: { width, height, channels: 4 }, left, top, blend: 'over' });
}

function pad(picture: Sharp, padding: Padding): Sharp {
  return picture.extend({ ...padding, background: TRANSPARENT });
}

async function applyEffects(picture: Pixels, effects: Effects): Promise<Pixels> {
  let pixels = picture;
  applyTones(pixels, effects);
  if (effects.sharpness > 0) {
    pixels = await takePixels(
      asPicture(pixels).convolve({ width: 3, height: 3, kernel: buildSharpening(effects.sharpness), scale: 1 }),
    );
  }
  if (effects.filter !== null) applyFilter(pixels, effects.filter);
  // Each step of GD's blur has a variance of one half.
  if (effects.blur > 0) pixels = await takePixels(asPicture(pixels).blur(Math.sqrt(effects.blur / 2)));
  if (effects.blockSize > 0) pixelate(pixels, effects.blockSize);
  return pixels;
}

function buildSharpening(level: number): number[] {
  const corner = level >= 10 ? level * -0.01 : 0;
  const edge = level * -0.025;
  const middle = 1 - 4 * corner - 4 * edge;
  return [corner, edge, corner, edge, middle, edge, corner, edge, corner];
}

/** The layers from front to back: the border, the mark, the picture, the background. */
async function compose(plan: ImagePlan, pixels: Pixels, marks: readonly OverlayOptions[]): Promise<Sharp> {
  const { backdrop, border } = plan;
  const { size, padding } = plan.picture;
  const frame = border?.method === 'expand' ? border.width : 0;
  const space = padding ?? { left: 0, top: 0, right: 0, bottom: 0 };
  const layers = marks.map((mark) => ({ ...mark, left: (mark.left ?? 0) + frame, top: (mark.top ?? 0) + frame }));
  if (backdrop !== null) {
    layers.push({ ...fillRectangle({ left: frame, top: frame, ...size }, backdrop), blend: 'dest-over' });
  }
  const isFramed = border !== null && border.method !== 'shrink';
  if (isFramed) layers.push(...listSides(plan, border).map((side) => fillRectangle(side, border.colour)));
  const picture = pad(asPicture(pixels), {
    left: space.left + frame,
    top: space.top + frame,
    right: space.right + frame,
    bottom: space.bottom + frame,
  });
  const composed = layers.length === 0 ? picture : picture.composite(layers);
  if (border?.method !== 'shrink') return plan.isOpaque ? composed.removeAlpha() : composed;
  const { width, colour } = border;
  const shrunk = asPicture(await takePixels(composed))
    .resize(size.width - 2 * width, size.height - 2 * width, { fit: 'fill' })
    .extend({ left: width, top: width, right: width, bottom: width, background: asBackground(colour) });
  return plan.isOpaque ? shrunk.removeAlpha() : shrunk;
}

function fillRectangle({ left, top, width, height }: Rectangle, colour: Colour) {
  return { input: { create: { width, height, channels: 4, background: asBackground(colour) } }, left, top } as const;
}

/** The four sides of a border. They do not overlap, so a translucent colour looks the same in the corners. */
function listSides({ width, height }: ImagePlan, { width: border }: BorderPlan): readonly Rectangle[] {
  const bottom = Math.max(border, height - border);
  const right = Math.max(border, width - border);
  return [
    { left: 0, top: 0, width, height: Math.min(border, height) },
    { left: 0, top: bottom, width, height: height - bottom },
    { left: 0, top: border, width: Math.min(border, width), height: bottom - border },
    { left: right, top: border, width: width - right, height: bottom - border },
  ].filter((side) => side.width > 0 && side.height > 0);
}

/** The lowest quality that the encoders accept. */
const LEAST_QUALITY = 1;

function encode(picture: Sharp, { format, quality: wanted }: ImagePlan): Sharp {
  const quality = Math.max(LEAST_QUALITY, wanted);
  const encoders: Readonly<Record<OutputFormat, () => Sharp>> = {
    jpg: () => picture.jpeg({ quality }),
    pjpg: () => picture.jpeg({ quality, progressive: true }),
    png: () => picture.png(),
    gif: () => picture.gif(),
    webp: () => picture.webp({ quality }),
    avif: () => picture.avif({ quality }),
  };
  return encoders[format]();
}

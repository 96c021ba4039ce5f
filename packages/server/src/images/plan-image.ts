// Turns the parameters of a request and the facts about its original into a complete plan: every size, position and colour, and the
// format of the result. Rendering makes no decisions, so the same plan always produces the same picture. All functions here are pure.

import { fail, ok, type Result } from '../content/result.ts';
import { type Colour, putOnWhite, WHITE } from './colour.ts';
import {
  findDefaultQuality,
  type ImageParameters,
  type MarkParameters,
  type OutputFormat,
} from './image-parameters.ts';
import { type ImageSource, isAnimation, MOST_INPUT_PIXELS } from './image-source.ts';
import { type AcceptedFormat, chooseFormat, FORMAT_TRAITS } from './output-format.ts';
import { type Border, type Length, type Point, quoteValue, type Rectangle } from './parameter-values.ts';
import { isUpright, type Size } from './picture-turn.ts';
import { type PicturePlan, planPicture } from './plan-picture.ts';

export type Effects = Pick<
  ImageParameters,
  'brightness' | 'contrast' | 'gamma' | 'sharpness' | 'filter' | 'blur' | 'blockSize'
>;

export interface MarkPlan {
  readonly picture: PicturePlan;
  /** The part of the mark that overlaps the picture. */
  readonly visible: Rectangle;
  /** The position of that part on the picture. */
  readonly left: number;
  readonly top: number;
  /** In percent. */
  readonly opacity: number;
}

export interface BorderPlan {
  readonly width: number;
  readonly colour: Colour;
  readonly method: Border['method'];
}

export interface ImagePlan {
  /** The exact size of the result. */
  readonly width: number;
  readonly height: number;
  readonly format: OutputFormat;
  readonly quality: number;
  /** Whether all frames are kept. */
  readonly isAnimated: boolean;
  readonly picture: PicturePlan;
  /** The colour behind the picture and in its padding; null if transparent. */
  readonly backdrop: Colour | null;
  /** Whether no pixel of the result is transparent. */
  readonly isOpaque: boolean;
  /** Whether the picture is built in memory from layers. If not, one pass from file to file is enough. */
  readonly isLayered: boolean;
  readonly effects: Effects | null;
  readonly mark: MarkPlan | null;
  readonly border: BorderPlan | null;
}

export interface PlanContext {
  /** The focal point in percent; null if the asset has none. */
  readonly focalPoint: Point | null;
  /** The asset that the `mark` parameter names; null if the request is not allowed to use it. */
  readonly mark: ImageSource | null;
  /** The formats that the client can show, for `fm=auto`. */
  readonly accepted: ReadonlySet<AcceptedFormat>;
}

const MOST_RESULT_PIXELS = 40_000_000;

/** A problem is a sentence for the client. */
export function planImage(
  parameters: ImageParameters,
  source: ImageSource,
  { focalPoint, mark: markSource, accepted }: PlanContext,
): Result<ImagePlan, string> {
  const inputProblem = findInputProblem(source, 1);
  if (inputProblem !== undefined) return fail(inputProblem);
  const picture = planPicture(parameters, source, focalPoint);
  if (!picture.ok) return picture;
  const inner = picture.value.size;
  const innerProblem = findResultProblem(inner);
  if (innerProblem !== undefined) return fail(innerProblem);
  const border = planBorder(parameters.border, inner);
  if (!border.ok) return border;
  const mark = planMark(parameters.mark, markSource, inner);
  if (!mark.ok) return mark;
  const size = border.value?.method === 'expand' ? grow(inner, border.value.width) : inner;
  const sizeProblem = findResultProblem(size);
  if (sizeProblem !== undefined) return fail(sizeProblem);

  const effects = selectEffects(parameters);
  const isPlain = effects === null && border.value === null && mark.value === null;
  const couldMove = isPlain && isAnimation(source) && isOnlyResized(parameters, picture.value);
  const format = chooseFormat(parameters.format, source.format, accepted, couldMove, size);
  if (!format.ok) return format;
  const { hasTransparency } = FORMAT_TRAITS[format.value];
  const backdrop = chooseBackdrop(parameters.background, hasTransparency, source, picture.value);
  const isTinted = backdrop !== null && source.isGreyscale && !isGrey(backdrop);
  const isAnimated = couldMove && (format.value === 'gif' || format.value === 'webp');
  if (isAnimated) {
    const problem = findInputProblem(source, source.pages) ?? findFramesProblem(picture.value, source.pages);
    if (problem !== undefined) return fail(problem);
  }
  return ok(
    freezeDeeply({
      width: size.width,
      height: size.height,
      format: format.value,
      quality: parameters.quality ?? findDefaultQuality(format.value),
      isAnimated,
      picture: picture.value,
      backdrop,
      isOpaque: isOpaque(source, picture.value, backdrop, border.value, hasTransparency),
      // Translucent backgrounds need a separate layer. In one pass, a grey picture would make any background grey.
      isLayered: !isPlain || (backdrop !== null && backdrop.alpha < 255) || isTinted,
      effects,
      mark: mark.value,
      border:
        border.value && (hasTransparency ? border.value : { ...border.value, colour: settleColour(border.value) }),
    }),
  );
}

function findInputProblem(source: ImageSource, frames: number): string | undefined {
  const pixels = source.width * source.height * frames;
  if (pixels <= MOST_INPUT_PIXELS) return undefined;
  const counted = frames === 1 ? '' : ` in ${frames} frames`;
  return `The original has ${inMegapixels(pixels)} megapixels${counted}; at most ${inMegapixels(MOST_INPUT_PIXELS)} are allowed.`;
}

function findResultProblem({ width, height }: Size): string | undefined {
  const pixels = width * height;
  if (pixels <= MOST_RESULT_PIXELS) return undefined;
  const size = `${inMegapixels(pixels)} megapixels (${width} × ${height})`;
  return `The result would have ${size}; at most ${inMegapixels(MOST_RESULT_PIXELS)} are allowed.`;
}

/** All frames are scaled before they are cropped, and all of them are in memory at once. */
function findFramesProblem({ scaled, size }: PicturePlan, frames: number): string | undefined {
  const frame = Math.max(size.width * size.height, scaled === null ? 0 : scaled.width * scaled.height);
  if (frame * frames <= MOST_INPUT_PIXELS) return undefined;
  const given = `${frames} frames with ${inMegapixels(frame * frames)} megapixels`;
  return `The result would have ${given}; at most ${inMegapixels(MOST_INPUT_PIXELS)} are allowed.`;
}

function inMegapixels(pixels: number): string {
  // Rounded up, so a number above the limit never looks equal to it.
  return String(Math.ceil(pixels / 100_000) / 10);
}

function planBorder(border: Border | null, inner: Size): Result<BorderPlan | null, string> {
  if (border === null) return ok(null);
  const { colour, method } = border;
  const width = measure(border.width, inner);
  const shortest = Math.min(inner.width, inner.height);
  if (width === 0) return ok(null);
  if (method === 'shrink' && width * 2 >= shortest) {
    const size = `${inner.width} × ${inner.height} pixels`;
    return fail(
      `The border parameter asks for ${width} pixels on each side, which leaves no room for the picture within ${size}.`,
    );
  }
  return ok({ width: method === 'overlay' ? Math.min(width, Math.ceil(shortest / 2)) : width, colour, method });
}

function measure({ amount, unit }: Length, { width, height }: Size): number {
  return unit === 'pixels' ? amount : Math.round(((unit === 'width' ? width : height) * amount) / 100);
}

function grow({ width, height }: Size, border: number): Size {
  return { width: width + 2 * border, height: height + 2 * border };
}

/** In a format without transparency, a border outside the picture is drawn on white. */
function settleColour({ colour, method }: BorderPlan): Colour {
  return method === 'overlay' ? colour : putOnWhite(colour);
}

function planMark(
  mark: MarkParameters | null,
  source: ImageSource | null,
  canvas: Size,
): Result<MarkPlan | null, string> {
  if (mark === null) return ok(null);
  const given = `The mark parameter is ${quoteValue(mark.assetId)}`;
  if (source === null) return fail(`${given}; it must be the id of an image in this site that you are allowed to see.`);
  const inputProblem = findInputProblem(source, 1);
  if (inputProblem !== undefined) return fail(`${given}. ${inputProblem}`);
  const side = (length: Length | null): number | null =>
    length === null ? null : Math.max(1, measure(length, canvas));
  const request = {
    width: side(mark.width),
    height: side(mark.height),
    fit: mark.fit,
    crop: null,
    rotation: 'auto',
    flip: null,
  } as const;
  const picture = planPicture(request, source, null);
  if (!picture.ok) return picture;
  const { size } = picture.value;
  const sizeProblem = findResultProblem(size);
  if (sizeProblem !== undefined) return fail(`${given}. ${sizeProblem}`);
  const left = placeMark(canvas.width, size.width, mark.position.x, measure(mark.offsetX, canvas));
  const top = placeMark(canvas.height, size.height, mark.position.y, measure(mark.offsetY, canvas));
  const visible = {
    left: Math.max(0, -left),
    top: Math.max(0, -top),
    width: Math.min(canvas.width, left + size.width) - Math.max(0, left),
    height: Math.min(canvas.height, top + size.height) - Math.max(0, top),
  };
  if (visible.width <= 0 || visible.height <= 0) return ok(null);
  const { opacity } = mark;
  return ok({ picture: picture.value, visible, left: Math.max(0, left), top: Math.max(0, top), opacity });
}

/** @param percent 0, 50 or 100: at the start, in the middle or at the end */
function placeMark(whole: number, part: number, percent: number, offset: number): number {
  if (percent === 100) return whole - part - offset;
  return Math.floor(((whole - part) * percent) / 100) + offset;
}

function selectEffects(parameters: ImageParameters): Effects | null {
  const { brightness, contrast, gamma, sharpness, filter, blur, blockSize } = parameters;
  const hasTones = brightness !== 0 || contrast !== 0 || gamma !== 1;
  if (!hasTones && sharpness === 0 && filter === null && blur === 0 && blockSize === 0) return null;
  return { brightness, contrast, gamma, sharpness, filter, blur, blockSize };
}

/** Whether an animation stays animated. Any change other than resizing would apply only to its first frame. */
function isOnlyResized({ crop, fit }: ImageParameters, { turn }: PicturePlan): boolean {
  return crop === null && isUpright(turn) && !(fit.kind === 'crop' && fit.zoom > 1);
}

function chooseBackdrop(
  background: Colour | null,
  hasTransparency: boolean,
  { hasAlpha }: ImageSource,
  { padding }: PicturePlan,
): Colour | null {
  // The background would not be visible.
  if (!hasAlpha && padding === null) return null;
  if (!hasTransparency) return background === null ? WHITE : putOnWhite(background);
  return background === null || background.alpha === 0 ? null : background;
}

function isGrey({ red, green, blue }: Colour): boolean {
  return red === green && green === blue;
}

function isOpaque(
  { hasAlpha }: ImageSource,
  { padding }: PicturePlan,
  backdrop: Colour | null,
  border: BorderPlan | null,
  hasTransparency: boolean,
): boolean {
  if (!hasTransparency) return true;
  const isFilled = backdrop?.alpha === 255 || (!hasAlpha && padding === null);
  return isFilled && (border === null || border.method === 'overlay' || border.colour.alpha === 255);
}

function freezeDeeply<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) freezeDeeply(member);
  return Object.freeze(value);
}

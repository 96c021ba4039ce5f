// Plans how a file becomes pixels of the requested size: crop, scale, rotate, crop again, pad. The steps refer to the stored pixels, so
// the decoder can scale while it reads.

import { fail, ok, type Result } from '../content/result.ts';
import type { ImageParameters } from './image-parameters.ts';
import type { ImageSource } from './image-source.ts';
import type { Point, Rectangle } from './parameter-values.ts';
import {
  isUpright,
  type Size,
  type Turn,
  thenFlip,
  turnByOrientation,
  turnCounterClockwise,
  turnPoint,
  turnPointBack,
  turnRectangleBack,
  turnSize,
} from './picture-turn.ts';
import { type FitPlan, type Padding, planFit } from './plan-fit.ts';

export interface PicturePlan {
  /** The part of the stored pixels to read; null for all of them. */
  readonly cut: Rectangle | null;
  /** The size of that part after scaling, before it is rotated; null if it is not scaled. */
  readonly scaled: Size | null;
  readonly turn: Turn;
  /**
   * Whether the picture is rotated before it is scaled. To rotate a picture, libvips needs memory for all of it, so a picture that
   * is enlarged, perhaps to crop it to a small part, is rotated while it is still small.
   */
  readonly isTurnedFirst: boolean;
  /** The part of the scaled and rotated picture to keep; null for all of it. */
  readonly window: Rectangle | null;
  readonly padding: Padding | null;
  /** The final size, with padding. */
  readonly size: Size;
}

export type PictureRequest = Pick<ImageParameters, 'width' | 'height' | 'fit' | 'crop' | 'rotation' | 'flip'>;

/** @param focalPoint as percentages of the picture as a viewer sees it */
export function planPicture(
  request: PictureRequest,
  source: ImageSource,
  focalPoint: Point | null,
): Result<PicturePlan, string> {
  const { crop, rotation, flip } = request;
  const whole = { left: 0, top: 0, width: source.width, height: source.height };
  if (crop !== null && !contains(whole, crop)) {
    const given = `${crop.width},${crop.height},${crop.left},${crop.top}`;
    const size = `${source.width} × ${source.height} pixels`;
    return fail(`The crop parameter is "${given}"; it must be W,H,X,Y within the picture, which is ${size}.`);
  }
  const viewed = crop ?? whole;
  const viewing = turnByOrientation(source.orientation);
  const stored = turnSize(viewing, source);
  const cut = turnRectangleBack(viewing, stored, viewed);
  const turn = rotation === 'auto' ? viewing : turnCounterClockwise(rotation);
  const picture = turnSize(turn, cut);
  const focus = findFocus(focalPoint, source, viewed, cut, viewing, turn);
  const fit = planFit(picture, request, focus);
  const narrowed = narrowCut(picture, fit);
  const read = narrowed === null ? cut : moveInto(cut, turnRectangleBack(turn, cut, narrowed.cut));
  const { scaled, window } = narrowed ?? fit;
  const turned = thenFlip(turn, flip);
  const isScaled = window !== null || scaled.width !== picture.width || scaled.height !== picture.height;
  return ok({
    cut: read.width === stored.width && read.height === stored.height ? null : read,
    scaled: isScaled ? turnSize(turn, scaled) : null,
    turn: turned,
    isTurnedFirst: !isUpright(turned) && scaled.width * scaled.height > read.width * read.height,
    window: window === null ? null : flipWindow(window, scaled, flip),
    padding: fit.padding,
    size: { width: fit.size.width, height: fit.size.height },
  });
}

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return inner.left + inner.width <= outer.width && inner.top + inner.height <= outer.height;
}

function moveInto(outer: Rectangle, inner: Rectangle): Rectangle {
  return { ...inner, left: outer.left + inner.left, top: outer.top + inner.top };
}

const CENTRE: Point = Object.freeze({ x: 50, y: 50 });

/** The focal point as percentages of the picture that will be scaled: after `crop` and after the rotation. */
function findFocus(
  focalPoint: Point | null,
  whole: Size,
  viewed: Rectangle,
  cut: Size,
  viewing: Turn,
  turn: Turn,
): Point {
  if (focalPoint === null) return CENTRE;
  const inView = {
    x: clamp((focalPoint.x / 100) * whole.width - viewed.left, viewed.width),
    y: clamp((focalPoint.y / 100) * whole.height - viewed.top, viewed.height),
  };
  const turned = turnPoint(turn, cut, turnPointBack(viewing, cut, inView));
  const { width, height } = turnSize(turn, cut);
  return { x: (turned.x / width) * 100, y: (turned.y / height) * 100 };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

/** How many pixels around the window the interpolation may read. */
const MARGIN = 4;

/**
 * If the picture is enlarged and then cropped, only the part around the window is read. Otherwise a zoom of 100 would scale the whole
 * picture to a hundred times its size. If the picture is made smaller, the decoder is faster when it reads the whole picture.
 */
function narrowCut(
  picture: Size,
  { scaled, window }: FitPlan,
): { readonly cut: Rectangle; readonly scaled: Size; readonly window: Rectangle } | null {
  if (window === null || scaled.width <= picture.width || scaled.height <= picture.height) return null;
  const across = narrowAxis(picture.width, scaled.width, window.left, window.width);
  const down = narrowAxis(picture.height, scaled.height, window.top, window.height);
  return {
    cut: { left: across.start, top: down.start, width: across.length, height: down.length },
    scaled: { width: across.scaled, height: down.scaled },
    window: { left: across.offset, top: down.offset, width: window.width, height: window.height },
  };
}

function narrowAxis(whole: number, scaled: number, offset: number, part: number) {
  const factor = scaled / whole;
  const start = Math.max(0, Math.floor(offset / factor) - MARGIN);
  const end = Math.min(whole, Math.ceil((offset + part) / factor) + MARGIN);
  const scaledPart = Math.max(part, Math.round((end - start) * factor));
  const moved = clamp(Math.round(offset - start * factor), scaledPart - part);
  return { start, length: end - start, scaled: scaledPart, offset: moved };
}

function flipWindow(window: Rectangle, scaled: Size, flip: PictureRequest['flip']): Rectangle {
  const isFlippedAcross = flip === 'h' || flip === 'both';
  const isFlippedDown = flip === 'v' || flip === 'both';
  return {
    ...window,
    left: isFlippedAcross ? scaled.width - window.left - window.width : window.left,
    top: isFlippedDown ? scaled.height - window.top - window.height : window.top,
  };
}

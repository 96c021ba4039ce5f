// The geometry of `w`, `h` and `fit`: how large a picture becomes, which part of it is kept, and where padding is added.

import type { Fit, Point, Rectangle } from './parameter-values.ts';
import type { Size } from './picture-turn.ts';

export interface Padding {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface FitPlan {
  /** The size of the whole picture after scaling. */
  readonly scaled: Size;
  /** The part of the scaled picture that is kept; null if all of it is. */
  readonly window: Rectangle | null;
  readonly padding: Padding | null;
  /** The size after cropping and padding. */
  readonly size: Size;
}

export interface RequestedSize {
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: Fit;
}

/** @param focus the point, in percent, to keep in view if `fit` names none */
export function planFit(picture: Size, { width, height, fit }: RequestedSize, focus: Point): FitPlan {
  const box = completeBox(picture, width, height);
  if (fit.kind === 'crop') return coverBox(picture, box, fit.at ?? focus, fit.zoom);
  if (fit.kind === 'stretch') return { scaled: box, window: null, padding: null, size: box };
  const isComplete = width !== null && height !== null;
  const mayEnlarge = fit.kind === 'contain' || fit.kind === 'fill-max';
  const scaled = isComplete ? fitInside(picture, box, mayEnlarge) : fitOneSide(picture, box, mayEnlarge);
  const isPadded = fit.kind === 'fill' || fit.kind === 'fill-max';
  const padding = isPadded ? padTo(scaled, box) : null;
  return { scaled, window: null, padding, size: padding === null ? scaled : box };
}

/** A missing side follows from the aspect ratio. */
function completeBox(picture: Size, width: number | null, height: number | null): Size {
  if (width === null && height === null) return picture;
  if (height === null) return { width: width ?? 1, height: roundSide(((width ?? 1) * picture.height) / picture.width) };
  return { width: width ?? roundSide((height * picture.width) / picture.height), height };
}

function roundSide(side: number): number {
  return Math.max(1, Math.round(side));
}

function fitInside(picture: Size, box: Size, mayEnlarge: boolean): Size {
  const isSmall = picture.width <= box.width && picture.height <= box.height;
  if (isSmall && !mayEnlarge) return picture;
  // Only the other side is rounded, so the side that limits the size is exact.
  return box.width * picture.height <= box.height * picture.width
    ? { width: box.width, height: roundSide((box.width * picture.height) / picture.width) }
    : { width: roundSide((box.height * picture.width) / picture.height), height: box.height };
}

/** The box has the picture's aspect ratio, apart from rounding. */
function fitOneSide(picture: Size, box: Size, mayEnlarge: boolean): Size {
  const isLarger = box.width > picture.width || box.height > picture.height;
  return isLarger && !mayEnlarge ? picture : box;
}

function padTo(scaled: Size, box: Size): Padding | null {
  const width = Math.max(0, box.width - scaled.width);
  const height = Math.max(0, box.height - scaled.height);
  if (width === 0 && height === 0) return null;
  const left = Math.floor(width / 2);
  const top = Math.floor(height / 2);
  return { left, top, right: width - left, bottom: height - top };
}

function coverBox(picture: Size, box: Size, focus: Point, zoom: number): FitPlan {
  const isWidthExact = box.width * picture.height >= box.height * picture.width;
  const factor = zoom * (isWidthExact ? box.width / picture.width : box.height / picture.height);
  const scaled = {
    width: Math.max(box.width, Math.round(isWidthExact ? box.width * zoom : picture.width * factor)),
    height: Math.max(box.height, Math.round(isWidthExact ? picture.height * factor : box.height * zoom)),
  };
  const window = {
    left: placeWindow(scaled.width, box.width, focus.x),
    top: placeWindow(scaled.height, box.height, focus.y),
    ...box,
  };
  const isWhole = scaled.width === box.width && scaled.height === box.height;
  return { scaled, window: isWhole ? null : window, padding: null, size: box };
}

/** Centres the window on the point, as far as the edges of the picture allow. */
function placeWindow(whole: number, part: number, percent: number): number {
  const start = Math.floor((whole * percent) / 100 - part / 2);
  return Math.max(0, Math.min(start, whole - part));
}

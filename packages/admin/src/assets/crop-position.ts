// The position of a crop in a picture, computed as in the image service: the crop is as large as possible, and its centre is as close to
// the focal point as the picture's edges allow.

export interface Point {
  /** In percent from the left. */
  readonly x: number;
  /** In percent from the top. */
  readonly y: number;
}

export const CENTRE: Point = { x: 50, y: 50 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The CSS `object-position` that shows the crop, in percent.
 * @param shape the width of the crop, divided by its height
 */
export function findCropPosition({ width, height }: Size, shape: number, point: Point): Point {
  const pictureShape = width / height;
  return {
    x: pictureShape > shape ? placeEdge(shape / pictureShape, point.x) : 50,
    y: pictureShape < shape ? placeEdge(pictureShape / shape, point.y) : 50,
  };
}

/** @param part the fraction of the picture that the crop shows, less than 1 */
function placeEdge(part: number, percent: number): number {
  const start = Math.min(1 - part, Math.max(0, percent / 100 - part / 2));
  return (100 * start) / (1 - part);
}

/** The nearest point in the picture, rounded to whole percentages. */
export function boundPoint({ x, y }: Point): Point {
  return { x: bound(x), y: bound(y) };
}

function bound(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const LONG_STEP = 10;

/** The point after an arrow key is pressed; undefined for other keys. */
export function movePoint(point: Point, key: string, isLong: boolean): Point | undefined {
  const step = STEPS[key];
  const length = isLong ? LONG_STEP : 1;
  return step && boundPoint({ x: point.x + length * step.x, y: point.y + length * step.y });
}

// The eight ways to rotate and mirror a picture. Each is an optional left-to-right mirroring followed by a clockwise rotation.

import type { Point, Rectangle } from './parameter-values.ts';

export interface Turn {
  readonly isMirrored: boolean;
  readonly clockwise: 0 | 90 | 180 | 270;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const UPRIGHT: Turn = Object.freeze({ isMirrored: false, clockwise: 0 });

/** How a viewer rotates or mirrors the stored picture, for each EXIF orientation from 1 to 8. */
const BY_ORIENTATION: readonly Turn[] = [
  UPRIGHT,
  { isMirrored: true, clockwise: 0 },
  { isMirrored: false, clockwise: 180 },
  { isMirrored: true, clockwise: 180 },
  { isMirrored: true, clockwise: 270 },
  { isMirrored: false, clockwise: 90 },
  { isMirrored: true, clockwise: 90 },
  { isMirrored: false, clockwise: 270 },
];

/** @param orientation the EXIF orientation; any value other than 2 to 8 means upright */
export function turnByOrientation(orientation: number): Turn {
  return BY_ORIENTATION[orientation - 1] ?? UPRIGHT;
}

export function turnCounterClockwise(degrees: '0' | '90' | '180' | '270'): Turn {
  const clockwise = ({ '0': 0, '90': 270, '180': 180, '270': 90 } as const)[degrees];
  return Object.freeze({ isMirrored: false, clockwise });
}

/** Rotates as `turn` does, and then flips the result. */
export function thenFlip({ isMirrored, clockwise }: Turn, flip: 'h' | 'v' | 'both' | null): Turn {
  if (flip === null) return { isMirrored, clockwise };
  if (flip === 'both') return Object.freeze({ isMirrored, clockwise: addDegrees(clockwise, 180) });
  // Mirroring after a rotation equals mirroring before the opposite rotation. Flipping upside down equals mirroring and rotating by 180
  // degrees.
  const opposite = addDegrees(0, 360 - clockwise);
  return Object.freeze({ isMirrored: !isMirrored, clockwise: flip === 'h' ? opposite : addDegrees(opposite, 180) });
}

function addDegrees(one: number, other: number): Turn['clockwise'] {
  const sum = (one + other) % 360;
  return sum === 90 || sum === 180 || sum === 270 ? sum : 0;
}

export function isUpright({ isMirrored, clockwise }: Turn): boolean {
  return !isMirrored && clockwise === 0;
}

export function turnSize({ clockwise }: Turn, { width, height }: Size): Size {
  return clockwise === 90 || clockwise === 270 ? { width: height, height: width } : { width, height };
}

/** The position of a point in the picture after the rotation. */
export function turnPoint({ isMirrored, clockwise }: Turn, { width, height }: Size, point: Point): Point {
  const x = isMirrored ? width - point.x : point.x;
  const { y } = point;
  switch (clockwise) {
    case 0:
      return { x, y };
    case 90:
      return { x: height - y, y: x };
    case 180:
      return { x: width - x, y: height - y };
    case 270:
      return { x: y, y: width - x };
  }
}

/** The original position of a point in the rotated picture. @param size the size before the rotation */
export function turnPointBack({ isMirrored, clockwise }: Turn, size: Size, point: Point): Point {
  const rotated = turnSize({ isMirrored: false, clockwise }, size);
  const { x, y } = turnPoint({ isMirrored: false, clockwise: addDegrees(0, 360 - clockwise) }, rotated, point);
  return { x: isMirrored ? size.width - x : x, y };
}

/** The original position of a rectangle in the rotated picture. @param size the size before the rotation */
export function turnRectangleBack(turn: Turn, size: Size, rectangle: Rectangle): Rectangle {
  const { left, top, width, height } = rectangle;
  const one = turnPointBack(turn, size, { x: left, y: top });
  const other = turnPointBack(turn, size, { x: left + width, y: top + height });
  return {
    left: Math.min(one.x, other.x),
    top: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

// The grammar of each value in an image URL. Each rule describes the values that it allows, for error messages.

import { COLOUR_RULE, type Colour, parseColour, WHITE } from './colour.ts';

export interface ValueRule<Value> {
  /** Completes the sentence "The value must be …". */
  readonly allowed: string;
  /** Undefined if the text breaks the rule. */
  readonly parse: (text: string) => Value | undefined;
}

/** In percent, from the left and from the top. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Fit =
  | { readonly kind: 'contain' | 'max' | 'fill' | 'fill-max' | 'stretch' }
  /** Without a point, the picture's focal point, or else its centre, is kept in view. */
  | { readonly kind: 'crop'; readonly at: Point | null; readonly zoom: number };

/** Pixels, or a percentage of the picture's width or height. */
export interface Length {
  readonly amount: number;
  readonly unit: 'pixels' | 'width' | 'height';
}

export interface Border {
  readonly width: Length;
  readonly colour: Colour;
  readonly method: (typeof BORDER_METHODS)[number];
}

/** The longest side that `w` or `h` may request. */
export const LONGEST_SIDE = 8192;

const BORDER_METHODS = ['overlay', 'shrink', 'expand'] as const;

const POSITIONS: ReadonlyMap<string, Point> = new Map(
  [
    ['top-left', 0, 0],
    ['top', 50, 0],
    ['top-right', 100, 0],
    ['left', 0, 50],
    ['center', 50, 50],
    ['right', 100, 50],
    ['bottom-left', 0, 100],
    ['bottom', 50, 100],
    ['bottom-right', 100, 100],
  ].map(([name, x, y]) => [String(name), Object.freeze({ x: Number(x), y: Number(y) })]),
);

/** The number of digits is limited so that every accepted number is represented exactly. */
const WHOLE = /^-?\d{1,7}$/;
const DECIMAL = /^\d{1,7}(\.\d{1,6})?$/;

export function wholeNumber(least: number, most: number): ValueRule<number> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    parse: (text) => parseNumber(text, WHOLE, least, most),
  };
}

export function decimalNumber(least: number, most: number): ValueRule<number> {
  return { allowed: `a number from ${least} to ${most}`, parse: (text) => parseNumber(text, DECIMAL, least, most) };
}

function parseNumber(text: string, grammar: RegExp, least: number, most: number): number | undefined {
  if (!grammar.test(text)) return undefined;
  const value = Number(text);
  // Adding zero turns -0 into 0.
  return value >= least && value <= most ? value + 0 : undefined;
}

export function oneOf<const Word extends string>(words: readonly Word[]): ValueRule<Word> {
  return { allowed: `one of ${words.join(', ')}`, parse: (text) => words.find((word) => word === text) };
}

export const COLOUR: ValueRule<Colour> = { allowed: COLOUR_RULE, parse: parseColour };

export const POSITION: ValueRule<Point> = {
  allowed: `one of ${[...POSITIONS.keys()].join(', ')}`,
  parse: (text) => POSITIONS.get(text),
};

export const FIT: ValueRule<Fit> = {
  allowed:
    'contain, max, fill, fill-max, stretch, cover, crop, crop or cover with a position such as crop-top-left, ' +
    'or crop-X-Y or crop-X-Y-ZOOM with X and Y from 0 to 100 and ZOOM from 1 to 100',
  parse: parseFit,
};

function parseFit(text: string): Fit | undefined {
  switch (text) {
    case 'contain':
    case 'max':
    case 'fill':
    case 'fill-max':
    case 'stretch':
      return Object.freeze({ kind: text });
    case 'crop':
    case 'cover':
      return Object.freeze({ kind: 'crop', at: null, zoom: 1 });
  }
  const [, positionName = ''] = /^(?:crop|cover)-(.*)$/.exec(text) ?? [];
  const position = POSITIONS.get(positionName);
  if (position !== undefined) return Object.freeze({ kind: 'crop', at: position, zoom: 1 });
  const [prefix, x, y, zoom = '1', ...rest] = text.split('-');
  if (prefix !== 'crop' || x === undefined || y === undefined || rest.length > 0) return undefined;
  const left = parseNumber(x, DECIMAL, 0, 100);
  const top = parseNumber(y, DECIMAL, 0, 100);
  const factor = parseNumber(zoom, DECIMAL, 1, 100);
  if (left === undefined || top === undefined || factor === undefined) return undefined;
  return Object.freeze({ kind: 'crop', at: Object.freeze({ x: left, y: top }), zoom: factor });
}

export const CROP: ValueRule<Rectangle> = {
  allowed: 'W,H,X,Y in whole pixels, where W and H are at least 1',
  parse: (text) => {
    const [width, height, left, top, ...rest] = text.split(',').map((part) => parseNumber(part, WHOLE, 0, 9_999_999));
    if (!width || !height || left === undefined || top === undefined || rest.length > 0) return undefined;
    return Object.freeze({ left, top, width, height });
  },
};

/** @param least the smallest number of pixels */
export function length(least: 0 | 1): ValueRule<Length> {
  return {
    allowed: `${least} to ${LONGEST_SIDE} pixels, or 1 to 100 percent of the width or height, such as 5w or 5h`,
    parse: (text) => parseLength(text, least),
  };
}

function parseLength(text: string, least: number): Length | undefined {
  const unit = text.endsWith('w') ? 'width' : text.endsWith('h') ? 'height' : 'pixels';
  const amount =
    unit === 'pixels' ? parseNumber(text, WHOLE, least, LONGEST_SIDE) : parseNumber(text.slice(0, -1), DECIMAL, 1, 100);
  return amount === undefined ? undefined : Object.freeze({ amount, unit });
}

export const BORDER: ValueRule<Border> = {
  allowed: `WIDTH,COLOUR,METHOD: ${length(0).allowed}; ${COLOUR_RULE}; and ${BORDER_METHODS.join(', ')}`,
  parse: (text) => {
    const [widthText = '', colourText, methodText, ...rest] = text.split(',');
    const width = parseLength(widthText, 0);
    const colour = colourText === undefined ? WHITE : parseColour(colourText);
    const method = methodText === undefined ? 'overlay' : BORDER_METHODS.find((each) => each === methodText);
    if (width === undefined || colour === undefined || method === undefined || rest.length > 0) return undefined;
    return Object.freeze({ width, colour, method });
  },
};

export const ASSET_ID: ValueRule<string> = {
  allowed: 'the id of an asset in the same site',
  parse: (text) => (/^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : undefined),
};

/** Quotes a value for a message. */
export function quoteValue(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text.toWellFormed());
}

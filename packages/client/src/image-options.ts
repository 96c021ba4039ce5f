// The parameters of the image API: their types, and run-time checks of their values. Any value that the server would refuse for every
// picture is refused here, so a mistake shows up as an error in the code rather than as a broken picture.

/** A position in a picture. */
export type ImagePosition =
  | 'top-left'
  | 'top'
  | 'top-right'
  | 'left'
  | 'center'
  | 'right'
  | 'bottom-left'
  | 'bottom'
  | 'bottom-right';

/**
 * How a picture is made to fit into `w` × `h` pixels. `contain` and `max` keep the whole picture, `fill` and `fill-max`
 * add padding, `stretch` distorts it, and `crop` and `cover` cut off the excess. A crop keeps a position in view:
 * `crop-left`, or `crop-25-75` for 25% from the left and 75% from the top, or `crop-25-75-2` to also zoom in by a
 * factor of 2.
 */
export type ImageFit =
  | 'contain'
  | 'max'
  | 'fill'
  | 'fill-max'
  | 'stretch'
  | 'crop'
  | 'cover'
  | `${'crop' | 'cover'}-${ImagePosition}`
  | `crop-${number}-${number}`
  | `crop-${number}-${number}-${number}`;

/** Pixels, or a percentage of the picture's width (`5w`) or height (`5h`). */
export type ImageLength = number | `${number}w` | `${number}h`;

/** The parameters of the image API, under the names that they have in URLs. */
export interface ImageOptions {
  /** The width in pixels, 1 to 8192. Without `h`, the height follows from the aspect ratio. */
  readonly w?: number | undefined;
  /** The height in pixels, 1 to 8192. Without `w`, the width follows from the aspect ratio. */
  readonly h?: number | undefined;
  /** How the picture is made to fit into `w` × `h`. `contain` by default. */
  readonly fit?: ImageFit | undefined;
  /** A rectangle to cut out of the original before anything else: `W,H,X,Y` in pixels. */
  readonly crop?: `${number},${number},${number},${number}` | undefined;
  /** The number of screen pixels per CSS pixel, 1 to 8. Multiplies `w` and `h`. */
  readonly dpr?: number | undefined;
  /** A counter-clockwise rotation in degrees. `auto`, the default, follows the orientation in the file. */
  readonly or?: 'auto' | 0 | 90 | 180 | 270 | undefined;
  /** Mirrors the picture: `h` swaps left and right, `v` swaps top and bottom. */
  readonly flip?: 'v' | 'h' | 'both' | undefined;
  /** Brightness, -100 to 100. */
  readonly bri?: number | undefined;
  /** Contrast, -100 to 100. */
  readonly con?: number | undefined;
  /** Gamma, 0.1 to 9.99. */
  readonly gam?: number | undefined;
  /** Sharpness, 0 to 100. */
  readonly sharp?: number | undefined;
  /** Blur, 0 to 100. */
  readonly blur?: number | undefined;
  /** Pixelation: the side length of a block, 0 to 1000. */
  readonly pixel?: number | undefined;
  /** A colour filter. */
  readonly filt?: 'greyscale' | 'sepia' | undefined;
  /** The background: a CSS colour name, or hexadecimal digits without `#`: `RGB`, `ARGB`, `RRGGBB` or `AARRGGBB`. */
  readonly bg?: string | undefined;
  /** A border: `WIDTH,COLOUR,METHOD`. The method is `overlay` (the default), `shrink` or `expand`. */
  readonly border?: ImageLength | `${ImageLength},${string}` | undefined;
  /** A watermark: the id of an asset on the same site. */
  readonly mark?: string | undefined;
  /** The width of the watermark. */
  readonly markw?: ImageLength | undefined;
  /** The height of the watermark. */
  readonly markh?: ImageLength | undefined;
  /** How the watermark is made to fit into `markw` × `markh`. */
  readonly markfit?: ImageFit | undefined;
  /** The horizontal distance of the watermark from the edge. */
  readonly markx?: ImageLength | undefined;
  /** The vertical distance of the watermark from the edge. */
  readonly marky?: ImageLength | undefined;
  /** The distance of the watermark from both edges; replaces `markx` and `marky`. */
  readonly markpad?: ImageLength | undefined;
  /** The position of the watermark. `bottom-right` by default. */
  readonly markpos?: ImagePosition | undefined;
  /** The opacity of the watermark, 0 to 100. */
  readonly markalpha?: number | undefined;
  /** The quality for JPEG, WebP and AVIF, 0 to 100. 85 by default, 55 for AVIF. */
  readonly q?: number | undefined;
  /** The format. `auto` chooses AVIF or WebP if the browser can show it. By default, the original's format. */
  readonly fm?: 'jpg' | 'pjpg' | 'png' | 'gif' | 'webp' | 'avif' | 'auto' | undefined;
  /** The site's presets: one name, several separated by commas, or an array. */
  readonly p?: string | readonly string[] | undefined;
}

type Rule =
  | readonly [least: number, most: number, step: 'whole' | 'decimal']
  | readonly [grammar: RegExp, allowed: string];

// The rules contain only literals and no calls, so bundlers drop the table if it is not used.
const SIDE: Rule = [1, 8192, 'whole'];
const LEVEL: Rule = [-100, 100, 'whole'];
const STRENGTH: Rule = [0, 100, 'whole'];
const FIT: Rule = [
  /^(contain|max|fill|fill-max|stretch|(crop|cover)(-(top|bottom)(-(left|right))?|-(left|center|right))?|crop(-(100|\d\d?(\.\d{1,6})?)){2}(-(100|[1-9]\d?(\.\d{1,6})?))?)$/,
  'contain, max, fill, fill-max, stretch, cover, crop, or a crop with a position, such as crop-top-left, crop-25-75 or crop-25-75-2',
];
const LENGTH: Rule = [/^(\d{1,4}|(100|[1-9]\d?(\.\d{1,6})?)[wh])$/, 'pixels, or a percentage such as 5w or 5h'];

const RULES = {
  w: SIDE,
  h: SIDE,
  fit: FIT,
  crop: [/^0*[1-9]\d{0,6},0*[1-9]\d{0,6},\d{1,7},\d{1,7}$/, 'W,H,X,Y in whole pixels'],
  dpr: [1, 8, 'decimal'],
  or: [/^(auto|0|90|180|270)$/, 'auto, 0, 90, 180 or 270'],
  flip: [/^(v|h|both)$/, 'v, h or both'],
  bri: LEVEL,
  con: LEVEL,
  gam: [0.1, 9.99, 'decimal'],
  sharp: STRENGTH,
  blur: STRENGTH,
  pixel: [0, 1000, 'whole'],
  filt: [/^(greyscale|sepia)$/, 'greyscale or sepia'],
  bg: [/^([a-z]+|[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i, 'a CSS colour name, or hexadecimal digits without #'],
  border: [/^[\d.]+[wh]?(,[a-z\d]+(,(overlay|shrink|expand))?)?$/i, 'WIDTH,COLOUR,METHOD, such as 5,red,expand'],
  mark: [/^[\w-]{1,64}$/, 'the id of an asset'],
  markw: LENGTH,
  markh: LENGTH,
  markfit: FIT,
  markx: LENGTH,
  marky: LENGTH,
  markpad: LENGTH,
  markpos: [/^((top|bottom)(-(left|right))?|left|center|right)$/, 'a position such as top-left'],
  markalpha: STRENGTH,
  q: STRENGTH,
  fm: [/^(p?jpg|png|gif|webp|avif|auto)$/, 'jpg, pjpg, png, gif, webp, avif or auto'],
  p: [/^[^,]+(,[^,]+)*$/, 'the name of a preset, or several names'],
} as const satisfies Readonly<Record<keyof ImageOptions, Rule>>;

/** Whether this is the name of an image parameter. The signature does not count as one. */
export function isImageParameter(name: string): name is keyof ImageOptions {
  return Object.hasOwn(RULES, name);
}

/** @throws TypeError with `sentence` as its message if `isTrue` is false */
export function checkClaim(isTrue: boolean, sentence: string): asserts isTrue {
  if (!isTrue) throw new TypeError(sentence);
}

/** Rejects anything that is not an object, such as the number in `imageUrl(asset, 300)`. */
export function checkOptions(options: unknown): asserts options is object {
  checkClaim(Object(options) === options, 'The options must be an object, such as { w: 300 }.');
}

/** The names and values to write into a URL. Undefined options are left out. */
export function encodeImageOptions(options: ImageOptions): readonly (readonly [name: string, value: string])[] {
  checkOptions(options);
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, encodeValue(name, value)]);
}

function encodeValue(name: string, value: unknown): string {
  checkClaim(
    isImageParameter(name),
    `${name} is not an image parameter; the parameters are ${Object.keys(RULES).join(', ')}.`,
  );
  const text = Array.isArray(value) && name === 'p' ? value.join() : value;
  const [first, second, step]: readonly [number | RegExp, number | string, string?] = RULES[name];
  if (typeof first === 'number') {
    const isNumber = typeof text === 'number' && text >= first && text <= Number(second);
    const isRight = isNumber && (step === 'decimal' || Number.isInteger(text));
    const kind = step === 'decimal' ? 'number' : 'whole number';
    checkClaim(isRight, `${name} must be a ${kind} from ${first} to ${second}.`);
    // The server reads at most six decimal places. Adding zero turns -0 into 0.
    return String(Number(text.toFixed(6)) + 0);
  }
  const isText = typeof text === 'string' || typeof text === 'number';
  checkClaim(isText && first.test(String(text)), `${name} must be ${second}.`);
  return String(text);
}

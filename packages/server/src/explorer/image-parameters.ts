// All image URL parameters, the most common first. The page about images shows them as a table. If a schema's keywords do not say
// which values are allowed, its description does. No schema has a default, because explorers would send it.

import type { JsonSchema, Parameter } from './open-api.ts';

const LONGEST_SIDE = 8192;
const COLOUR = 'a CSS colour name, or `RGB`, `ARGB`, `RRGGBB` or `AARRGGBB` without `#`';
const LENGTH = 'pixels, or percent of the width or height, such as `5w` or `5h`';
const POSITIONS = 'top-left top top-right left center right bottom-left bottom bottom-right'.split(' ');

const FITS =
  '`contain`, `max`, `fill`, `fill-max`, `stretch`, `crop`, `crop-POSITION`, `crop-X-Y`, `crop-X-Y-ZOOM`; `cover` is the same as `crop`';
const ABOUT_FITS =
  'How the picture fits into `w` × `h`. `contain` (default) may enlarge it; `max` never does. `fill` adds padding in the colour `bg`; `fill-max` also enlarges the picture. `stretch` ignores the aspect ratio. `crop` fills the box and crops the rest: it keeps the focal point of the asset in view, or a position such as `crop-top-left`, or a point given as percentages from the left and the top.';

export const IMAGE_PARAMETERS: readonly Parameter[] = [
  describe('w', 'The width. If only one of `w` and `h` is given, the aspect ratio stays the same.', pixels()),
  describe('h', 'The height.', pixels()),
  describe('fit', ABOUT_FITS, text(FITS)),
  describe('crop', 'Crops the original to this rectangle before any other operation.', text('`W,H,X,Y` in pixels')),
  describe('dpr', 'Multiplies `w` and `h`, for screens with a higher pixel density.', number(1, 8)),
  describe(
    'fm',
    'The format. The default is the format of the original. `auto` sends AVIF or WebP to browsers that accept it.',
    oneOf(['jpg', 'pjpg', 'png', 'gif', 'webp', 'avif', 'auto']),
  ),
  describe('q', 'The quality of JPEG, WebP and AVIF images. The default is 85, or 55 for AVIF.', integer(0, 100)),
  describe(
    'or',
    'Rotates counter-clockwise. `auto` (default) follows the orientation in the file.',
    oneOf(['auto', '0', '90', '180', '270']),
  ),
  describe('flip', 'Mirrors the picture horizontally, vertically, or both.', oneOf(['h', 'v', 'both'])),
  describe('bri', 'Changes the brightness.', integer(-100, 100)),
  describe('con', 'Changes the contrast.', integer(-100, 100)),
  describe('gam', 'Changes the gamma.', number(0.1, 9.99)),
  describe('sharp', 'Sharpens the picture.', integer(0, 100)),
  describe('blur', 'Blurs the picture.', integer(0, 100)),
  describe('pixel', 'Pixelates the picture.', integer(0, 1000)),
  describe('filt', 'Changes the colours.', oneOf(['greyscale', 'sepia'])),
  describe(
    'bg',
    'The background. It is transparent by default, or white in formats without transparency.',
    text(COLOUR),
  ),
  describe(
    'border',
    `Adds a border. WIDTH is in ${LENGTH}.`,
    text('`WIDTH,COLOUR,METHOD`; METHOD is `overlay` (default), `shrink` or `expand`'),
  ),
  describe(
    'mark',
    'Adds a watermark. The asset must appear in published content, or the URL must be signed.',
    text('the ID of an asset'),
  ),
  describe('markw', 'The width of the watermark.', text(LENGTH)),
  describe('markh', 'The height of the watermark.', text(LENGTH)),
  describe('markfit', 'How the watermark fits into `markw` × `markh`.', text('like `fit`')),
  describe('markpos', 'The position of the watermark; `bottom-right` by default.', oneOf(POSITIONS)),
  describe('markx', 'The horizontal distance of the watermark from the edge.', text(LENGTH)),
  describe('marky', 'The vertical distance of the watermark from the edge.', text(LENGTH)),
  describe('markpad', 'Both distances together.', text(LENGTH)),
  describe('markalpha', 'The opacity of the watermark.', integer(0, 100)),
  describe(
    'p',
    'Applies presets: parameters that the site’s owner has stored under a name.',
    text('names, separated by commas'),
  ),
  describe(
    's',
    'The signature. Some sites allow only presets and signed URLs.',
    text('made with the site’s image key'),
  ),
];

function describe(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', description, schema };
}

function pixels(): JsonSchema {
  return integer(1, LONGEST_SIDE);
}

function integer(minimum: number, maximum: number): JsonSchema {
  return { type: 'integer', minimum, maximum };
}

function number(minimum: number, maximum: number): JsonSchema {
  return { type: 'number', minimum, maximum };
}

function oneOf(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

function text(description: string): JsonSchema {
  return { type: 'string', description };
}

// Pictures in the sizes that the layout needs, from Galley's image API.

import { imageSrcSet, imageUrl } from '@galley/client';
import type { Asset } from './content.ts';

/** The size of a picture in the layout. The style sheet uses the same dimensions. */
const SHAPES = {
  /** The picture at the top of a page. */
  cover: { ratio: 2, widths: [480, 800, 1200, 1600, 2000], sizes: '(min-width: 76rem) 72rem, 100vw' },
  /** The picture of the first article on the front page. */
  lead: { ratio: 3 / 2, widths: [480, 800, 1200, 1600], sizes: '(min-width: 60rem) 44rem, 100vw' },
  /** A picture in a list. */
  teaser: {
    ratio: 3 / 2,
    widths: [320, 480, 640, 960],
    sizes: '(min-width: 60rem) 22rem, (min-width: 40rem) 50vw, 100vw',
  },
  portrait: { ratio: 1, widths: [240, 480, 720], sizes: '15rem' },
  /** Pictures between paragraphs keep their aspect ratio. */
  text: { ratio: undefined, widths: [480, 800, 1200, 1600], sizes: '(min-width: 60rem) 44rem, 100vw' },
} as const;

export type Shape = keyof typeof SHAPES;

/** The attributes of an `img` element. */
export interface PictureAttributes {
  readonly src: string;
  readonly srcSet: string;
  readonly sizes: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly alt: string;
}

export function describePicture(asset: Asset, shape: Shape): PictureAttributes {
  const { ratio, widths, sizes } = SHAPES[shape];
  const [, width] = widths;
  const height = ratio && Math.round(width / ratio);
  const size = height === undefined ? { w: width } : { w: width, h: height, fit: 'crop' as const };
  return {
    src: imageUrl(asset, { ...size, fm: 'auto' }),
    srcSet: imageSrcSet(asset, widths, { ratio, fm: 'auto' }),
    sizes,
    width: height === undefined ? (asset.width ?? undefined) : width,
    height: height ?? asset.height ?? undefined,
    alt: asset.description ?? '',
  };
}

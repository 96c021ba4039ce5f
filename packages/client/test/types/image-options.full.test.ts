// Code that must compile against the image functions, and code that must not.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop.close());

const START = `import { type AssetBody, type ImageFit, type ImageOptions, imageSrcSet, imageUrl, signImageSrcSet, signImageUrl } from '@galley/client';
import type { Article } from './content.ts';
declare const asset: AssetBody;
declare const article: Article;
export const used = [asset, article, imageSrcSet, imageUrl, signImageSrcSet, signImageUrl];
export type Used = [ImageFit, ImageOptions];
`;

test.each(['browser', 'node'] as const)(
  'all parameters compile, and invalid values do not (%s)',
  async (surroundings) => {
    const source = `${START}
    const whole = {
      w: 300, h: 200, fit: 'crop', crop: '300,200,0,10', dpr: 2, or: 90, flip: 'both', bri: -10, con: 10, gam: 1.2, sharp: 5, blur: 5,
      pixel: 5, filt: 'sepia', bg: 'fff', border: '5w,red,expand', mark: 'a_logo', markw: '20w', markh: 100, markfit: 'max', markx: 5,
      marky: '5h', markpad: 5, markpos: 'top-left', markalpha: 50, q: 70, fm: 'auto', p: ['one', 'two'],
    } as const satisfies Required<ImageOptions>;
    imageUrl(asset, whole) satisfies string;
    const fits: readonly ImageFit[] = ['crop-left', 'cover-top-right', 'crop-25-75', 'crop-33.3-66.6', 'crop-25-75-2', 'fill-max'];
    for (const fit of fits) imageUrl(asset, { fit });
    imageUrl(asset);
    imageUrl({ url: '/photo.jpg' }, { w: undefined, p: 'one' });
    imageUrl({ url: '/photo.jpg', mime_type: 'image/jpeg', width: null, height: null });
    imageUrl({ url: '/photo.jpg', focal_point: { x: 1, y: 2 }, placeholder: null });
    for (const { asset: cover } of article.fields.cover.assets) imageUrl(cover, { w: 300 });
    imageSrcSet(asset, [400, 800], { ratio: 16 / 9, enlarge: true, fit: 'crop-top', fm: 'avif' }) satisfies string;
    imageSrcSet(asset, [400, 800] as const);
    (await signImageUrl(imageUrl(asset), 'key')) satisfies string;
    (await signImageSrcSet(imageSrcSet(asset, [400]), 'key')) satisfies string;

    // @ts-expect-error no such parameter
    imageUrl(asset, { width: 300 });
    // @ts-expect-error the signature has its own function
    imageUrl(asset, { s: 'abc' });
    // @ts-expect-error a number
    imageUrl(asset, { w: '300' });
    // @ts-expect-error no such fit
    imageUrl(asset, { fit: 'clip' });
    // @ts-expect-error no such position
    imageUrl(asset, { fit: 'crop-middle' });
    // @ts-expect-error cover takes no percentages
    imageUrl(asset, { fit: 'cover-25-75' });
    // @ts-expect-error both coordinates are required
    imageUrl(asset, { fit: 'crop-25' });
    // @ts-expect-error four numbers
    imageUrl(asset, { crop: '300,200' });
    // @ts-expect-error no such angle
    imageUrl(asset, { or: 45 });
    // @ts-expect-error the format is called jpg
    imageUrl(asset, { fm: 'jpeg' });
    // @ts-expect-error no such unit
    imageUrl(asset, { markw: '20%' });
    // @ts-expect-error an asset has a URL
    imageUrl({ mime_type: 'image/jpeg' });
    // @ts-expect-error an asset, not its URL
    imageUrl('/photo.jpg');
    // @ts-expect-error the widths set the size
    imageSrcSet(asset, [400], { w: 300 });
    // @ts-expect-error ratio sets the shape
    imageSrcSet(asset, [400], { h: 300 });
    // @ts-expect-error widths are numbers
    imageSrcSet(asset, ['400w']);
    // @ts-expect-error the key is required
    await signImageUrl(asset.url);
  `;
    expect(await workshop.compile('images', source, surroundings)).toBe('');
  },
);

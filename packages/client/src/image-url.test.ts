import { describe, expect, test } from 'vitest';
import type { ImageAsset } from './asset-url.ts';
import type { ImageOptions } from './image-options.ts';
import { imageUrl } from './image-url.ts';

const URL_OF_PHOTO = 'https://content.example/assets/s_demo/a_1/0123456789abcdef/photo.jpg';
const PHOTO: ImageAsset = {
  url: URL_OF_PHOTO,
  mime_type: 'image/jpeg',
  width: 1000,
  height: 500,
  focal_point: null,
  placeholder: 'CBgKFQS',
};

describe('the URL of a picture', () => {
  test.each<[ImageOptions, string]>([
    [{}, ''],
    [{ w: undefined }, ''],
    [{ w: 300 }, '?w=300'],
    [{ w: 176, h: 176, fit: 'crop', dpr: 2 }, '?dpr=2&fit=crop&h=176&w=176'],
    [{ fit: 'crop-25-75-2', w: 3, h: 4 }, '?fit=crop-25-75-2&h=4&w=3'],
    [{ fm: 'auto', q: 0 }, '?fm=auto&q=0'],
    [{ crop: '10,20,0,5', or: 90 }, '?crop=10%2C20%2C0%2C5&or=90'],
    [{ border: 5, bg: '80ff0000' }, '?bg=80ff0000&border=5'],
    [{ border: '5w,red,expand', gam: 1.5 }, '?border=5w%2Cred%2Cexpand&gam=1.5'],
    [
      { mark: 'a_logo', markw: '20w', markpad: 10, markpos: 'top-left' },
      '?mark=a_logo&markpad=10&markpos=top-left&markw=20w',
    ],
    [{ p: 'teaser' }, '?p=teaser'],
    [{ p: ['teaser', 'grey tones'] }, '?p=teaser%2Cgrey+tones'],
    [{ bri: -0, dpr: 1 / 3 + 1 }, '?bri=0&dpr=1.333333'],
  ])('with the options %j ends in %j', (options, query) => {
    expect(imageUrl(PHOTO, options)).toBe(URL_OF_PHOTO + query);
  });

  test('does not depend on the order of the options', () => {
    expect(imageUrl(PHOTO, { w: 1, h: 2 })).toBe(imageUrl(PHOTO, { h: 2, w: 1 }));
  });

  test('keeps the parameters that it already has, except the signature and those that change', () => {
    const url = imageUrl({ ...PHOTO, url: `${URL_OF_PHOTO}?v=7&w=100&s=abc` }, { w: 200 });
    expect(url).toBe(`${URL_OF_PHOTO}?v=7&w=200`);
  });

  test.each([
    '/assets/s_demo/a_1/0123456789abcdef/photo.jpg',
    '//content.example/assets/s_demo/a_1/0123456789abcdef/photo.jpg',
    'http://127.0.0.1:3000/cms/assets/s_demo/a_1/0123456789abcdef/%E5%86%99%E7%9C%9F.jpg',
    'https://content.example/assets/s_demo/a_1/0123456789abcdef/写真.jpg',
    'https://content.example/assets/s_demo/a_1/photo.jpg',
  ])('can be %s', (url) => {
    expect(imageUrl({ url }, { w: 300 })).toBe(`${url}?w=300`);
  });
});

describe('an asset that the image API cannot change keeps its URL', () => {
  test.each<[what: string, asset: ImageAsset]>([
    ['an SVG image', { ...PHOTO, mime_type: 'image/svg+xml' }],
    ['an SVG image of unknown type', { url: URL_OF_PHOTO.replace('.jpg', '.SVG') }],
    ['a PDF', { ...PHOTO, mime_type: 'application/pdf' }],
    ['a picture on another website', { url: 'https://images.example/photo.jpg?sig=abc', mime_type: 'image/jpeg' }],
    ['a picture in a folder called assets', { url: '/assets/img/2026/photo.jpg', placeholder: null }],
    ['a path that is too short', { url: '/assets/s_demo/photo.jpg' }],
    ['a URL with this path in its query', { url: `https://proxy.example/?url=${URL_OF_PHOTO}` }],
    ['a URL with a fragment', { url: `${URL_OF_PHOTO}#top` }],
    ['a data URL', { url: `data:image/svg+xml,%3Csvg href='/assets/s/a/b.png` }],
  ])('%s', (_, asset) => {
    expect(imageUrl(asset, { w: 300 })).toBe(asset.url);
  });

  test('options are checked even if they have no effect', () => {
    expect(() => imageUrl({ url: '/logo.svg' }, { w: 0 })).toThrow(TypeError);
  });
});

describe('the focal point', () => {
  const asset = { ...PHOTO, focal_point: { x: 25, y: 100 / 3 } };

  test.each<[ImageOptions, string | null]>([
    [{ fit: 'crop', w: 300, h: 300 }, 'crop-25-33.33'],
    [{ fit: 'cover', w: 300, h: 300 }, 'crop-25-33.33'],
    [{ fit: 'crop-left', w: 300, h: 300 }, 'crop-left'],
    [{ fit: 'crop-10-20', w: 300, h: 300 }, 'crop-10-20'],
    [{ fit: 'max', w: 300, h: 300 }, 'max'],
    [{ w: 300, h: 300 }, null],
  ])('with the options %j gives fit=%s', (options, fit) => {
    expect(new URL(imageUrl(asset, options)).searchParams.get('fit')).toBe(fit);
  });

  test.each<ImageOptions>([{ crop: '100,100,0,0' }, { or: 90 }, { p: 'teaser' }])(
    'is left to the server if the crop does not refer to the whole original: %j',
    (options) => {
      const url = imageUrl(asset, { ...options, fit: 'crop', w: 300, h: 300 });
      expect(new URL(url).searchParams.get('fit')).toBe('crop');
    },
  );
});

describe('an invalid argument', () => {
  test.each<[options: object | number | null, message: string]>([
    [300, 'The options must be an object, such as { w: 300 }.'],
    [null, 'The options must be an object, such as { w: 300 }.'],
    [{ w: 0 }, 'w must be a whole number from 1 to 8192.'],
    [{ w: 10.5 }, 'w must be a whole number from 1 to 8192.'],
    [{ w: '300' }, 'w must be a whole number from 1 to 8192.'],
    [{ h: Number.NaN }, 'h must be a whole number from 1 to 8192.'],
    [{ w: null }, 'w must be a whole number from 1 to 8192.'],
    [{ dpr: 9 }, 'dpr must be a number from 1 to 8.'],
    [{ bg: '#fff' }, 'bg must be a CSS colour name, or hexadecimal digits without #.'],
    [{ or: 45 }, 'or must be auto, 0, 90, 180 or 270.'],
    [{ p: [] }, 'p must be the name of a preset, or several names.'],
    [{ mark: true }, 'mark must be the id of an asset.'],
  ])('in the options %j is named in the error', (options, message) => {
    expect(() => Reflect.apply(imageUrl, undefined, [PHOTO, options])).toThrow(new TypeError(message));
  });

  test.each(['width', 's', 'toString', 'W'])('%s is not accepted as a parameter', (name) => {
    const call = () => Reflect.apply(imageUrl, undefined, [PHOTO, { [name]: 300 }]);
    expect(call).toThrow(`${name} is not an image parameter; the parameters are w, h,`);
  });

  test.each([undefined, null, 'photo.jpg', {}, { url: null }])('is rejected instead of an asset: %j', (asset) => {
    const call = () => Reflect.apply(imageUrl, undefined, [asset, { w: 300 }]);
    expect(call).toThrow(new TypeError('The asset must be an object with a url.'));
  });
});

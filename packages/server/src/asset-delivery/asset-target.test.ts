import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../http/problems.ts';
import { parseAssetTarget } from './asset-target.ts';

describe('the URL of a file', () => {
  test('may contain a version', () => {
    expect(parseAssetTarget('/assets/s_1/a_1/0123456789abcdef/photo.jpg?w=1&h=2?')).toEqual({
      ok: true,
      value: {
        siteId: 's_1',
        assetId: 'a_1',
        version: '0123456789abcdef',
        fileName: 'photo.jpg',
        path: '/assets/s_1/a_1/0123456789abcdef/photo.jpg',
        query: 'w=1&h=2?',
      },
    });
    expect(parseAssetTarget('/assets/s_1/a_1/photo.jpg')).toMatchObject({
      ok: true,
      value: { version: null, fileName: 'photo.jpg', query: '' },
    });
  });

  test('may contain a name in any script', () => {
    const url = `/assets/s_1/a_1/${encodeURIComponent('Größe-写真.jpg')}`;
    expect(parseAssetTarget(url)).toMatchObject({ ok: true, value: { fileName: 'Größe-写真.jpg', path: url } });
  });

  test.each([
    '/assets/',
    '/assets/s_1',
    '/assets/s_1/a_1',
    '/assets/s_1/a_1/',
    '/assets/s_1//photo.jpg',
    '/assets//a_1/photo.jpg',
    '/assets/s_1/a_1/v/photo.jpg/',
    '/assets/s_1/a_1/v/folder/photo.jpg',
  ])('cannot have the form %s', (url) => {
    expect(parseAssetTarget(url)).toEqual({ ok: false, problem: PROBLEMS.notFound });
  });

  test.each(['/assets/s_1/a_1/%E0%A4%A', '/assets/s_1/a_1/%ff.jpg', '/assets/%/a_1/b.jpg'])(
    'must be valid UTF-8, unlike %s',
    (url) => expect(parseAssetTarget(url)).toEqual({ ok: false, problem: PROBLEMS.badRequest }),
  );
});

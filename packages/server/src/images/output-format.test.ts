import { describe, expect, test } from 'vitest';
import { chooseFormat, parseAcceptedFormats } from './output-format.ts';

describe('the Accept header', () => {
  test.each([
    [undefined, []],
    ['*/*', []],
    ['image/*', []],
    ['image/avif,image/webp,image/apng,*/*;q=0.8', ['avif', 'webp']],
    ['IMAGE/WEBP', ['webp']],
    ['image/avif;q=0, image/webp;q=0.1', ['webp']],
    ['image/webp; q=0.000', []],
    ['image/webpx', []],
  ])('%j accepts %j', (header, formats) => {
    expect([...parseAcceptedFormats(header)]).toEqual(formats);
  });
});

describe('the format of a result', () => {
  const small = { width: 10, height: 10 };
  const both = new Set(['avif', 'webp'] as const);

  test.each([
    [null, 'jpeg', false, 'jpg'],
    [null, 'png', false, 'png'],
    [null, 'avif', false, 'avif'],
    [null, 'tiff', false, 'jpg'],
    [null, 'heic', false, 'jpg'],
    ['pjpg', 'png', false, 'pjpg'],
    ['auto', 'jpeg', false, 'avif'],
    ['auto', 'gif', true, 'webp'],
  ] as const)('is chosen by %j for %s', (requested, source, couldMove, format) => {
    expect(chooseFormat(requested, source, both, couldMove, small)).toEqual({ ok: true, value: format });
  });

  test('is one that the client accepts and that supports the size, if fm=auto is given', () => {
    const choose = (accepted: readonly ('avif' | 'webp')[], width: number) =>
      chooseFormat('auto', 'png', new Set(accepted), false, { width, height: 1 });
    expect(choose([], 10)).toEqual({ ok: true, value: 'png' });
    expect(choose(['webp'], 10)).toEqual({ ok: true, value: 'webp' });
    expect(choose(['avif', 'webp'], 16_384)).toEqual({ ok: true, value: 'avif' });
    expect(choose(['avif', 'webp'], 16_385)).toEqual({ ok: true, value: 'png' });
  });

  test('is refused if it does not support the size', () => {
    expect(chooseFormat('webp', 'png', both, false, { width: 16_384, height: 2 })).toEqual({
      ok: false,
      problem: 'The result would be 16384 × 2 pixels; WebP allows at most 16383 pixels per side.',
    });
  });
});

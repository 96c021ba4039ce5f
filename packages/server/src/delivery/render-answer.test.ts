import { describe, expect, test } from 'vitest';
import type { Body } from '../content/body.ts';
import type { Related } from '../content/render-content.ts';
import type { ContentRow } from '../storage/lists/content-rows.ts';
import { buildValidator } from './render-answer.ts';

function bodyOf(digest: string): Body {
  return { typeNo: 1, authorNo: null, digest, isAscii: true, pieces: [] };
}

const ROW: ContentRow = { id: 'c_1', body: bodyOf('one') };
const LINKED: ContentRow = { id: 'c_9', body: bodyOf('nine') };
const ALONE: Related = {
  ...{ authors: new Map(), assets: new Map(), links: new Map(), visibleIds: new Set() },
  mostCharacters: 1000,
};
const LINKING: Related = { ...ALONE, links: new Map([['c_9', LINKED]]) };

describe('a validator', () => {
  test('is the same for the same input', () => {
    expect(buildValidator([{ ...ROW }], LINKING, 5, 'x')).toBe(buildValidator([ROW], { ...LINKING }, 5, 'x'));
  });

  test('contains the rendering version, so older responses do not count as current', () => {
    expect(buildValidator([ROW], ALONE, 5, '')).toBe('one-5-1');
  });

  test('is different if any part of the input is different', () => {
    const two = { ...ROW, body: bodyOf('two') };
    const validators = [
      buildValidator([], ALONE, 5, ''),
      buildValidator([ROW], ALONE, 5, ''),
      buildValidator([ROW], ALONE, 6, ''),
      buildValidator([two], ALONE, 5, ''),
      buildValidator([ROW, two], ALONE, 5, ''),
      buildValidator([two, ROW], ALONE, 5, ''),
      buildValidator([ROW, two], ALONE, 6, ''),
      buildValidator([ROW, two], ALONE, 5, 'frame'),
      buildValidator([ROW], LINKING, 5, ''),
      buildValidator([ROW], { ...LINKING, links: new Map([['c_9', { ...LINKED, body: bodyOf('ten') }]]) }, 5, ''),
      buildValidator([ROW], { ...LINKING, visibleIds: new Set(['c_10']) }, 5, ''),
    ];
    expect(new Set(validators).size).toBe(validators.length);
  });
});

import { describe, expect, test } from 'vitest';
import type { Body } from '../content/body.ts';
import type { Related, ShownAsset } from '../content/render-content.ts';
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
const BASE = 'https://content.example';
const LINKING: Related = { ...ALONE, links: new Map([['c_9', LINKED]]) };

const FILE: ShownAsset = {
  ...{ id: 'a_1', name: 'Photo', description: null, path: 'p', url: '/p', extension: 'jpg', size: 1 },
  ...{ mime_type: 'image/jpeg', width: 1, height: 1, placeholder: null, sha256: 'abc', focal_x: null, focal_y: null },
};
const WITH_FILE: Related = { ...ALONE, assets: new Map([['a_1', FILE]]) };

describe('a validator', () => {
  test('is the same for the same input', () => {
    expect(buildValidator([{ ...ROW }], LINKING, 5, 'x', BASE)).toBe(
      buildValidator([ROW], { ...LINKING }, 5, 'x', BASE),
    );
  });

  test('contains the rendering version, so older responses do not count as current', () => {
    expect(buildValidator([ROW], ALONE, 5, '', BASE)).toBe('one-5-2');
  });

  test('is different if any part of the input is different', () => {
    const two = { ...ROW, body: bodyOf('two') };
    const validators = [
      buildValidator([], ALONE, 5, '', BASE),
      buildValidator([ROW], ALONE, 5, '', BASE),
      buildValidator([ROW], ALONE, 6, '', BASE),
      buildValidator([two], ALONE, 5, '', BASE),
      buildValidator([ROW, two], ALONE, 5, '', BASE),
      buildValidator([two, ROW], ALONE, 5, '', BASE),
      buildValidator([ROW, two], ALONE, 6, '', BASE),
      buildValidator([ROW, two], ALONE, 5, 'frame', BASE),
      buildValidator([ROW], LINKING, 5, '', BASE),
      buildValidator([ROW], { ...LINKING, links: new Map([['c_9', { ...LINKED, body: bodyOf('ten') }]]) }, 5, '', BASE),
      buildValidator([ROW], { ...LINKING, visibleIds: new Set(['c_10']) }, 5, '', BASE),
      buildValidator([ROW], WITH_FILE, 5, '', BASE),
      buildValidator([ROW], WITH_FILE, 5, '', 'https://other.example'),
    ];
    expect(new Set(validators).size).toBe(validators.length);
  });
});

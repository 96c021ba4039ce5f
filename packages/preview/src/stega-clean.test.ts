import { vercelStegaEncode } from '@vercel/stega';
import { expect, test } from 'vitest';
import { stegaClean } from './stega-clean.ts';

const MARK = vercelStegaEncode({ origin: 'galley', id: 'c_1', path: 'name', language: 'en' });

test('removes marks from all strings in a value and leaves the rest unchanged', () => {
  const date = new Date(0);
  const content = {
    name: `A${MARK}`,
    tags: [{ text: `${MARK}B` }, 'C'],
    rank: 1,
    isOn: false,
    none: null,
    gone: undefined,
    date,
  };
  expect(stegaClean(content)).toEqual({ ...content, name: 'A', tags: [{ text: 'B' }, 'C'] });
  expect(stegaClean(content).date).toBe(date);
  expect(content.name).toContain(MARK);
});

test.each([['text'], [7], [null], [undefined], [true], [[1, 'two']], [{ name: 'A', fields: { title: 'B' } }]])(
  'returns %j itself, because it has no marks',
  (value) => {
    expect(stegaClean(value)).toBe(value);
  },
);

test('keeps the parts of an object that have no marks', () => {
  const content = { name: `A${MARK}`, seo: { title: 'A' } };
  expect(stegaClean(content).seo).toBe(content.seo);
});

test('does not change the prototype of an object with a __proto__ property', () => {
  const cleaned = stegaClean(JSON.parse(`{"name":"A${MARK}","__proto__":{"isAdmin":true}}`));
  expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
  expect(cleaned.isAdmin).toBeUndefined();
});

import { expect, test } from 'vitest';
import { type AssetValues, buildChange, findFacts } from './asset-values.ts';

const PICTURE: AssetValues = {
  id: '',
  name: 'Heron',
  description: 'A heron',
  url: 'https://files.example/heron.jpg',
  mime_type: 'image/jpeg',
  width: 800,
  height: 600,
  size: '',
};

test('a change says only what was changed in the form', () => {
  expect(buildChange({ ...PICTURE, name: 'Grey heron' }, PICTURE)).toEqual({ name: 'Grey heron' });
  expect(buildChange(PICTURE, PICTURE)).toEqual({});
});

test('another address says all that is known of its file, and nothing of the rest', () => {
  const url = 'https://files.example/egret.jpg';
  expect(buildChange({ ...PICTURE, url, ...findFacts(url, PICTURE), width: '1024.' }, PICTURE)).toEqual({
    url,
    mime_type: null,
    width: 1024,
    height: null,
    size: null,
  });
});

test('the address that a form began with brings back what is known of its file', () => {
  expect(findFacts(PICTURE.url, PICTURE)).toMatchObject({ mime_type: 'image/jpeg', width: 800, height: 600 });
});

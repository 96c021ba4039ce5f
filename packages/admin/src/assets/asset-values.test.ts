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

test('sends only values that were changed in the form', () => {
  expect(buildChange({ ...PICTURE, name: 'Grey heron' }, PICTURE)).toEqual({ name: 'Grey heron' });
  expect(buildChange(PICTURE, PICTURE)).toEqual({});
});

test('sends all details of the file, but nothing else, when its URL changes', () => {
  const url = 'https://files.example/egret.jpg';
  expect(buildChange({ ...PICTURE, url, ...findFacts(url, PICTURE), width: '1024.' }, PICTURE)).toEqual({
    url,
    mime_type: null,
    width: 1024,
    height: null,
    size: null,
  });
});

test('restores the details when the original URL is entered again', () => {
  expect(findFacts(PICTURE.url, PICTURE)).toMatchObject({ mime_type: 'image/jpeg', width: 800, height: 600 });
});

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { addComment, makePicture } from './pictures.ts';

test('a picture with a comment has different bytes but the same pixels', async () => {
  const picture = await makePicture({ width: 90, height: 60 });
  const other = addComment(picture, 'number 7');
  expect(await sharp(other).metadata()).toMatchObject({ format: 'jpeg', width: 90, height: 60 });
  expect(other.equals(picture)).toBe(false);
  expect(await sharp(other).raw().toBuffer()).toEqual(await sharp(picture).raw().toBuffer());
});

import { expect, test } from 'vitest';
import { nameAsset } from './send-upload.ts';

test.each([
  ['heron.jpg', 'heron'],
  ['A grey  heron (2).final.JPEG', 'A grey heron (2).final'],
  ['.htaccess', '.htaccess'],
  ['Dr. Heron and Mr. Egret', 'Dr. Heron and Mr. Egret'],
  ['archive.tar.gz', 'archive.tar'],
  [`${'x'.repeat(300)}.png`, 'x'.repeat(255)],
])('the asset for %s is named %s', (file, name) => {
  expect(nameAsset(file)).toBe(name);
});

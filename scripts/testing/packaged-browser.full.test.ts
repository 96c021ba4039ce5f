import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpackBrowser } from './packaged-browser.ts';

test('a browser that is requested while it is being unpacked is complete too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packaged-browser-'));
  // The file is read at the moment when the path is returned, which is when a browser would be started.
  const hashBrowser = async (): Promise<string> =>
    createHash('sha256')
      .update(readFileSync(await unpackBrowser(folder)))
      .digest('hex');
  const first = hashBrowser();
  await expect.poll(() => readdirSync(folder)).toHaveLength(1);
  const second = hashBrowser();
  expect(await second).toBe(await first);
  expect(readdirSync(folder)).toEqual(['packaged-chromium']);
});

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { COMPRESSED_BROWSER } from './packaged-browser.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, 'packaged-browser.ts')).href;

/** Prints the digest of the file at the moment the path is returned, which is when a browser would be started. */
const ASK = `
  const { createHash } = await import('node:crypto');
  const { readFileSync } = await import('node:fs');
  const { unpackBrowser } = await import('${MODULE}');
  const path = await unpackBrowser(process.argv[1]);
  console.log(createHash('sha256').update(readFileSync(path)).digest('hex'));
`;

test('three processes that request the packaged browser at the same time all get the complete file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packaged-browser-'));
  const whole = brotliDecompressSync(readFileSync(COMPRESSED_BROWSER));
  const digest = createHash('sha256').update(whole).digest('hex');
  expect(await Promise.all([1, 2, 3].map(() => askForBrowser(folder)))).toEqual([digest, digest, digest]);
  expect(readdirSync(folder)).toEqual(['packaged-chromium']);
  expect(readFileSync(join(folder, 'packaged-chromium')).equals(whole)).toBe(true);
});

async function askForBrowser(folder: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', ASK, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[status], printed] = await Promise.all([once(child, 'close'), readAll(child.stdout)]);
  expect(status).toBe(0);
  return printed.trim();
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

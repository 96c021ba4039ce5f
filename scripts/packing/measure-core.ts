// What the client costs a page that does nothing but create one and read with it: bundled, minified, compressed.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const PAGE = "import { createClient } from '@galley/client';\nglobalThis.createClient = createClient;\n";

export interface CoreSize {
  readonly minified: number;
  readonly gzipped: number;
}

/** @param project a folder with the package in its node_modules */
export async function measureCore(project: string): Promise<CoreSize> {
  const input = join(project, 'core.js');
  await writeFile(input, PAGE);
  const outcome = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input } },
  });
  if (!('output' in outcome)) throw new Error('The bundler gave more than one output');
  const code = outcome.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}

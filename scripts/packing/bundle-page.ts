// Bundles a page's script as a website's build does: minified, without the code that the page does not use.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

export interface BundledPage {
  readonly code: string;
  /** In bytes. */
  readonly minified: number;
  readonly gzipped: number;
}

/**
 * @param project a folder with the client in its node_modules
 * @param names the client exports that the page uses, such as `createClient`
 */
export async function bundlePage(project: string, names: readonly string[]): Promise<BundledPage> {
  const input = join(project, `page-${names.join('-')}.js`);
  const uses = names.map((name) => `globalThis.${name} = ${name};\n`);
  await writeFile(input, `import { ${names.join(', ')} } from '@galley/client';\n${uses.join('')}`);
  const outcome = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input } },
  });
  if (!('output' in outcome)) throw new Error('The bundler produced more than one output');
  const code = outcome.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  return { code, minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}

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

/** The exports that a page uses, by the name under which it imports their module: `{ '@galley/client': ['createClient'] }`. */
export type PageImports = Readonly<Record<string, readonly string[]>>;

/** @param project a folder with the libraries in its node_modules */
export async function bundlePage(project: string, imports: PageImports): Promise<BundledPage> {
  const input = join(project, `page-${Object.values(imports).flat().join('-')}.js`);
  const lines = Object.entries(imports).flatMap(([from, names]) => [
    `import { ${names.join(', ')} } from '${from}';\n`,
    ...names.map((name) => `globalThis.${name} = ${name};\n`),
  ]);
  await writeFile(input, lines.join(''));
  const outcome = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input, external: ['react'] } },
  });
  if (!('output' in outcome)) throw new Error('The bundler produced more than one output');
  const code = outcome.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  return { code, minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}

// Bundles a page's script as a website's build does: minified, without the code that the page does not use.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

export interface BundledCode {
  readonly code: string;
  /** In bytes. */
  readonly minified: number;
  readonly gzipped: number;
}

export interface BundledPage {
  /** The code that the page loads at the start. */
  readonly start: BundledCode;
  /** The code that it loads only when it is needed. */
  readonly later: BundledCode;
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
    // As for a server: for pages, Vite adds a loader of its own, which is not part of the library.
    build: { write: false, minify: true, ssr: input, target: 'es2022' },
    ssr: { noExternal: true },
  });
  if (!('output' in outcome)) throw new Error('The bundler produced more than one output');
  const chunks = outcome.output.filter((file) => file.type === 'chunk');
  const atStart = new Set(chunks.flatMap((chunk) => (chunk.isEntry ? [chunk.fileName] : [])));
  for (const name of atStart) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) atStart.add(imported);
  }
  const { start = [], later = [] } = Object.groupBy(chunks, ({ fileName }) =>
    atStart.has(fileName) ? 'start' : 'later',
  );
  return { start: measureCode(start), later: measureCode(later) };
}

function measureCode(chunks: readonly { readonly code: string }[]): BundledCode {
  const code = chunks.map((chunk) => chunk.code).join('');
  const gzipped = chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0);
  return { code, minified: Buffer.byteLength(code), gzipped };
}

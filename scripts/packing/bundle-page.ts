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
  /** The code that the page loads later, only when necessary. */
  readonly later: BundledCode;
}

/** The exports that a page uses, keyed by the name under which the page imports their module: `{ '@galley/client': ['createClient'] }`. */
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
    // Builds as if for a server. In a build for pages, Vite would add its own loader, which is not part of the library.
    build: { write: false, minify: true, ssr: input, target: 'es2022', rolldownOptions: { external: ['react'] } },
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

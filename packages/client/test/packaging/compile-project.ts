// Compiles a project with strict settings, including the package's own declarations.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../../../..');

/** The environment that the compiler assumes: a browser or Node.js, never both. */
export const SURROUNDINGS = {
  browser: { lib: ['es2022', 'dom', 'dom.asynciterable'], types: [] },
  node: { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
} as const;

export interface CompileOptions {
  readonly files: readonly string[];
  readonly surroundings: keyof typeof SURROUNDINGS;
  /** `bundler`, `node16` or `nodenext`. */
  readonly moduleResolution: string;
}

/** @returns the compiler's messages; empty if the project compiles */
export async function compileProject(folder: string, options: CompileOptions): Promise<string> {
  const { files, surroundings, moduleResolution } = options;
  const config = join(folder, `tsconfig.${surroundings}.${moduleResolution}.json`);
  const compilerOptions = {
    ...SURROUNDINGS[surroundings],
    module: moduleResolution === 'bundler' ? 'preserve' : moduleResolution,
    moduleResolution,
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(config, JSON.stringify({ compilerOptions, files }));
  const compiler = spawn(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [status]] = await Promise.all([text(compiler.stdout), once(compiler, 'close')]);
  return status === 0 ? said : said || `The compiler exited with status ${status}`;
}

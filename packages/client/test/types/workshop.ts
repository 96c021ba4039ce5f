// A folder with the demo's types, for compiling sources against the library.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, runGalley } from '../../../server/test/support/galley-command.ts';

export const REPOSITORY = join(import.meta.dirname, '../../../..');

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  module: 'nodenext',
  typeRoots: [join(REPOSITORY, 'node_modules/@types')],
  paths: {
    '@galley/client': [join(REPOSITORY, 'packages/client/src/index.ts')],
    '@galley/wire': [join(REPOSITORY, 'packages/wire/src/index.ts')],
  },
};

/** Consumers have either browser or Node.js types; both must work. */
const SURROUNDINGS = {
  browser: { lib: ['es2022', 'dom', 'dom.asynciterable'], types: [] },
  node: { lib: ['es2022'], types: ['node'] },
};

export interface Workshop {
  /** The compiler errors for a file next to the demo's types; empty if it compiles. */
  compile(name: string, source: string, surroundings: keyof typeof SURROUNDINGS, options?: object): Promise<string>;
  close(): Promise<void>;
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await makeFolder();
  const cwd = folder.path;
  for (const args of [
    ['import', join(REPOSITORY, 'packages/server/demo/magazine.ndjson')],
    ['types', '--site', 's_demo', '--out', 'content.ts'],
  ]) {
    const { status, stderr } = await runGalley(args, { cwd });
    if (status !== 0) throw new Error(`galley ${args.join(' ')} exited with status ${status}: ${stderr}`);
  }
  return {
    async compile(name, source, surroundings, options = {}) {
      const path = join(folder.path, `${name}-${surroundings}`);
      await mkdir(path);
      await writeFile(join(path, 'package.json'), '{"type":"module"}');
      await copyFile(join(folder.path, 'content.ts'), join(path, 'content.ts'));
      await writeFile(join(path, 'uses.ts'), source);
      const compilerOptions = { ...COMPILER_OPTIONS, ...SURROUNDINGS[surroundings], ...options };
      await writeFile(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      const child = spawn(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', path], { cwd: path });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      await once(child, 'close');
      return output;
    },
    close: async () => folder[Symbol.asyncDispose](),
  };
}

// A folder with the demo's types, for compiling sources against the library.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
  /**
   * The compiler's messages for files next to the demo's types.
   *
   * @returns the messages for each file; empty if it compiles
   */
  compile<Name extends string>(
    sources: Readonly<Record<Name, string>>,
    surroundings: keyof typeof SURROUNDINGS,
    options?: object,
  ): Promise<Readonly<Record<Name, string>>>;
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
    async compile(sources, surroundings, options = {}) {
      const path = await mkdtemp(join(cwd, `${surroundings}-`));
      await writeFile(join(path, 'package.json'), '{"type":"module"}');
      await copyFile(join(cwd, 'content.ts'), join(path, 'content.ts'));
      const names = Object.keys(sources) as (keyof typeof sources)[];
      for (const name of names) await writeFile(join(path, `${name}.ts`), sources[name]);
      const compilerOptions = { ...COMPILER_OPTIONS, ...SURROUNDINGS[surroundings], ...options };
      await writeFile(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      const child = spawn(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', path], { cwd: path });
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
      const messages = output.split(/^(?=\S)/m);
      const ofFile = (name: string) => messages.filter((message) => message.startsWith(`${name}.ts(`));
      const found = names.map((name) => [name, ofFile(name).join('')] as const);
      const others = messages.filter((message) => !names.some((name) => message.startsWith(`${name}.ts(`)));
      if (others.join('') !== '') throw new Error(others.join(''));
      return Object.fromEntries(found) as Record<(typeof names)[number], string>;
    },
    close: async () => folder[Symbol.asyncDispose](),
  };
}

// Runs create-galley. Exit status: 0 for success, 1 for failure, 2 for a usage error.

import { relative, resolve } from 'node:path';
import { CreateFailure, createProject, readVersion } from './create-project.ts';
import { parseArguments, USAGE, type Wish } from './parse-arguments.ts';

export async function main(args: readonly string[]): Promise<number> {
  const wish = parseArguments(args, process.env);
  switch (wish.kind) {
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'version':
      process.stdout.write(`${readVersion()}\n`);
      return 0;
    case 'mistake':
      process.stderr.write(`error: ${wish.message}\nTry: npm create galley -- --help\n`);
      return 2;
    case 'create':
      return create(wish);
  }
}

async function create({ folder, template, packages }: Extract<Wish, { kind: 'create' }>): Promise<number> {
  try {
    const nodeVersion = process.versions.node;
    const project = await createProject({ folder: resolve(folder), template, packages, nodeVersion });
    process.stdout.write(renderNextSteps(resolve(folder), project.bringsNode));
    return 0;
  } catch (error) {
    if (!(error instanceof CreateFailure)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return 1;
  }
}

export function renderNextSteps(folder: string, bringsNode: boolean): string {
  const path = relative(process.cwd(), folder);
  const steps = [...(path === '' ? [] : [`cd ${quote(path)}`]), 'npm install', 'npm start'];
  const note = `This is Node.js ${process.versions.node}, but Galley requires 24, so the project will install its own Node.js 24.\n`;
  return `\nCreated ${folder}\n${bringsNode ? note : ''}\n${steps.map((step) => `  ${step}\n`).join('')}\n`;
}

function quote(name: string): string {
  // Without the leading dot, cd would treat the name as an option.
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[\w./-]+$/.test(path) ? path : `"${path.replaceAll(/["\\$`]/g, '\\$&')}"`;
}

// Parses the parts of the Dockerfile syntax that our Dockerfile uses: its stages and their instructions, in order.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  /** Empty for the last stage, which is the image. */
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** The stage that files are copied from, or undefined for the build context. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function readDockerfile(root: string): readonly Stage[] {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [base = '', , stage = ''] = rest.split(' ');
      stages.push({ name: stage, base, instructions: [] });
    } else if (name !== '') {
      stages.at(-1)?.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

export function listCopies({ instructions }: Stage): readonly Copy[] {
  return instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
      const sources = paths.split(' ');
      return { from, target: sources.pop() ?? '', sources };
    });
}

/** The only instruction with this name. */
export function findText({ instructions }: Stage, name: string): string {
  const [found, ...others] = instructions.filter((each) => each.name === name);
  if (found === undefined || others.length > 0) throw new Error(`Expected exactly one ${name}`);
  return found.text;
}

export function readVariables({ instructions }: Stage): Readonly<Record<string, string>> {
  const pairs = instructions
    .filter(({ name }) => name === 'ENV')
    .map(({ text }): [string, string] => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
  return Object.fromEntries(pairs);
}

/** The words of an instruction that starts a program without a shell. */
export function parseWords(text: string): readonly string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(words)) throw new Error(`${text} is not a list`);
  return words.map(String);
}

// Parses the command line: one folder and a few options, all with defaults.

import { parseArgs } from 'node:util';

export const TEMPLATES = ['none', 'next', 'astro'] as const;
export type Template = (typeof TEMPLATES)[number];

export type Wish =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'mistake'; readonly message: string }
  | {
      readonly kind: 'create';
      readonly folder: string;
      readonly template: Template;
      /** A folder with the packages as tarballs; undefined to install them from npm. */
      readonly packages: string | undefined;
    };

const DEFAULT_FOLDER = 'my-site';
const OPTIONS = {
  template: { type: 'string' },
  packages: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

export const USAGE = `Usage: npm create galley [folder] -- [options]

Creates a project that runs Galley, a self-hosted content delivery service.
The folder must be new or empty (default: ${DEFAULT_FOLDER}).

Options:
  --template <name>  a front end that shows the demo content: next, astro or none (default: none)
  --packages <dir>   install the @galley packages from tarballs in this folder instead of npm,
                     and copy them into the project
  -V, --version      print the version
  -h, --help         show this help

Examples:
  npm create galley my-site
  npm create galley my-site -- --template next
`;

export function parseArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Wish {
  const parsed = parse(args);
  if (parsed instanceof Error) return { kind: 'mistake', message: parsed.message };
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const kept = findKeptOption(environment);
  if (kept !== undefined) return { kind: 'mistake', message: explainDashes(kept) };
  const [folder = DEFAULT_FOLDER, ...others] = positionals;
  if (others.length > 0) return { kind: 'mistake', message: `Expected one folder, got ${positionals.length}.` };
  if (folder.trim() === '') return { kind: 'mistake', message: 'The folder name is empty.' };
  const { template = 'none', packages } = values;
  if (!isTemplate(template)) {
    return { kind: 'mistake', message: `--template must be one of ${TEMPLATES.join(', ')}, not "${template}".` };
  }
  if (packages === '') return { kind: 'mistake', message: '--packages needs a folder.' };
  return { kind: 'create', folder, template, packages };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}

/** npm treats options before `--` as its own and passes on only the rest. */
function findKeptOption(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return ['template', 'packages'].find((name) => (environment[`npm_config_${name}`] ?? '') !== '');
}

function explainDashes(option: string): string {
  return `npm did not pass --${option} on. Write -- before the options: npm create galley my-site -- --${option} …`;
}

function isTemplate(name: string): name is Template {
  return TEMPLATES.some((each) => each === name);
}

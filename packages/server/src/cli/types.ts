import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { idOption } from './parse-option.ts';
import { printJson, printPainted, printText } from './print-result.ts';
import { writeNewFile } from './write-new-file.ts';

interface TypesFlags {
  readonly site: string;
  readonly out?: string;
  readonly force?: true;
  readonly json?: true;
}

export function defineTypes(program: Command): void {
  const command = program
    .command('types')
    .summary('write TypeScript types for a site’s content')
    .description(
      'Writes TypeScript types for a site: an interface for each content type, with the fields that the delivery API ' +
        'returns. The file imports nothing. If this command wrote an earlier version of the file, it is replaced.',
    )
    .requiredOption('--site <id>', 'the site', idOption)
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--force', 'replace the file, whatever it contains')
    .option('--json', 'print the result as JSON; needs --out')
    .action(runTypes);
  addExamples(command, [['For a front end', `${PROGRAM} types --site s_demo --out src/content-types.ts`]]);
}

async function runTypes({ site, out, force, json }: TypesFlags, command: Command): Promise<void> {
  if (out === undefined && json) command.error('error: --json needs --out; without it, the types are printed');
  if (out === undefined && force) command.error('error: --force needs --out');
  if (out === '') command.error('error: --out must name a file');
  const text = await generateSiteTypes(site);
  if (out === undefined) return printPainted(text);
  await writeTypes(out, text, force === true);
  if (json) return printJson({ file: out, site });
  printText(`Wrote the types for ${site} to ${out}.`);
}

async function generateSiteTypes(siteId: string): Promise<string> {
  const { generateTypes, selectCatalog, selectSite, withExistingStorage } = await import('./work.ts');
  return withExistingStorage(async (storage) => {
    const site = await storage.read(selectSite(siteId));
    const loaded = site && (await storage.read(selectCatalog(site.no)));
    if (loaded !== undefined) return generateTypes(loaded.catalog);
    throw new CommandFailure(`There is no site ${siteId}. To list the sites: ${PROGRAM} site list`);
  });
}

/** Replaces a file that an earlier run wrote. Any other file may be handwritten, so it is kept. */
async function writeTypes(path: string, text: string, isForced: boolean): Promise<void> {
  const options = { isForced: isForced || (await isGenerated(path)), mode: 0o666 };
  await writeNewFile(path, options, (temporaryPath) => writeFile(temporaryPath, text));
}

async function isGenerated(path: string): Promise<boolean> {
  const { GENERATED_MARK } = await import('./work.ts');
  const text = await readFile(path, 'utf8').catch(() => '');
  return (text.split('\n', 1)[0] ?? '').includes(GENERATED_MARK);
}

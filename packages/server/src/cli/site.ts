import type { Command } from 'commander';
import type { Site } from '../content/catalog.ts';
import { DEFAULT_LANGUAGE } from '../content/text-rules.ts';
import { PROGRAM } from '../program-name.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { createPaint } from './paint.ts';
import { idOption, languageOption, languagesOption, nameOption, siteUrlOption } from './parse-option.ts';
import { printJson, printPainted, printTable, printText } from './print-result.ts';

export function defineSite(program: Command): void {
  const site = defineGroup(program, 'site', 'create, list and delete sites');
  defineCreate(site);
  defineList(site);
  defineDelete(site);
}

interface CreateFlags {
  readonly name: string;
  readonly id?: string;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly url?: string;
  readonly json?: true;
}

function defineCreate(site: Command): void {
  const command = site
    .command('create')
    .summary('create a site')
    .description('Creates an empty site. Add content in the admin panel or with "galley import".')
    .requiredOption('--name <name>', 'name of the site', nameOption)
    .option('--id <id>', 'id, 1 to 64 characters from A-Z a-z 0-9 _ - (default: a new one)', idOption)
    .option('--language <tag>', 'default language (default: the first of --languages, else en)', languageOption)
    .option(
      '--languages <tags>',
      'all languages, separated by commas (default: only the default language)',
      languagesOption,
    )
    .option('--url <url>', "the site's own URL, used as the base for content URLs", siteUrlOption)
    .option('--json', 'print the new site as JSON')
    .action(runCreate);
  addExamples(command, [
    ['A site in one language', `${PROGRAM} site create --name "My Magazine"`],
    ['A site with translations', `${PROGRAM} site create --name Docs --id docs --languages en,fr,pt-BR`],
  ]);
}

async function runCreate(flags: CreateFlags, command: Command): Promise<void> {
  const defaultLanguage = flags.language ?? flags.languages?.[0] ?? DEFAULT_LANGUAGE;
  const languages = flags.languages ?? [defaultLanguage];
  if (!languages.includes(defaultLanguage)) {
    command.error(`error: --languages must contain the default language ${defaultLanguage}`);
  }
  const { COMMAND_ACTOR, createDesk, createSite, withStorage } = await import('./work.ts');
  const site = await withStorage((storage) =>
    createSite(createDesk(storage), COMMAND_ACTOR, {
      id: flags.id ?? null,
      name: flags.name,
      url: flags.url ?? null,
      defaultLanguage,
      languages,
    }),
  );
  if (flags.json) return printJson(describeSite(site));
  const paint = createPaint(process.stdout);
  printPainted(`Created the site ${paint('key', site.id)}.`);
}

function defineList(site: Command): void {
  site
    .command('list')
    .summary('list the sites')
    .description('Lists all sites. Requests must specify the ID of a site in the site header.')
    .option('--json', 'print the sites as a JSON array')
    .action(runList);
}

async function runList(flags: { readonly json?: true }): Promise<void> {
  const { selectSites, withExistingStorage } = await import('./work.ts');
  const sites = await withExistingStorage((storage) => storage.read(selectSites()));
  if (flags.json) return printJson(sites.map(describeSite));
  if (sites.length === 0) return printText(`There are no sites yet. Create one: ${PROGRAM} site create --name NAME`);
  const rows = sites.map((site) => [site.id, site.name, listLanguages(site), site.url ?? '–']);
  printTable({ headings: ['ID', 'NAME', 'LANGUAGES', 'URL'], rows });
}

/** The default language comes first. */
function listLanguages({ defaultLanguage, languages }: Site): string {
  return [defaultLanguage, ...languages.filter((language) => language !== defaultLanguage)].join(', ');
}

function describeSite({ id, name, defaultLanguage, languages, url }: Site) {
  return { id, name, default_language: defaultLanguage, languages, url };
}

function defineDelete(site: Command): void {
  const command = site
    .command('delete')
    .summary('delete a site and everything in it')
    .description(
      'Deletes a site with all its content, versions, types, authors and assets, and the API keys that are only for this site. Readers lose access to it on their next request. If the command is interrupted, run it again to resume. This cannot be undone.',
    )
    .argument('<id>', 'id of the site; see "galley site list"', idOption)
    .option('--confirm <id>', 'the same id, to skip the prompt')
    .option('--json', 'print the result as JSON')
    .action(runDelete);
  addExamples(command, [
    ['Export the site before you delete it', `${PROGRAM} export --site s_old --out old.ndjson`],
    ['In a script', `${PROGRAM} site delete s_old --confirm s_old`],
  ]);
}

interface DeleteFlags {
  readonly confirm?: string;
  readonly json?: true;
}

async function runDelete(id: string, flags: DeleteFlags, command: Command): Promise<void> {
  const warning = `This will delete the site ${id} and everything in it.`;
  await confirmDeletion(command, { name: id, warning, confirm: flags.confirm });
  const { createDesk, deleteSiteById, withExistingStorage } = await import('./work.ts');
  await withExistingStorage((storage) => deleteSiteById(createDesk(storage), id));
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted the site ${id}.`);
}

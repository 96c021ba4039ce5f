import type { Command } from 'commander';
import { DEFAULT_LANGUAGE } from '../content/site-definition.ts';
import { PROGRAM } from '../program-name.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { createPaint } from './paint.ts';
import { idOption, languageOption, languagesOption, nameOption, siteUrlOption } from './parse-option.ts';
import { printJson, printPainted } from './print-result.ts';
import { describeSite } from './site-list.ts';

interface SiteCreateFlags {
  readonly name: string;
  readonly id?: string;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly url?: string;
  readonly json?: true;
}

export function defineSiteCreate(site: Command): void {
  const command = site
    .command('create')
    .summary('create a site')
    .description('Creates an empty site. Content comes into it with "galley import".')
    .requiredOption('--name <name>', 'what people call the site', nameOption)
    .option('--id <id>', 'its id, 1 to 64 of A-Z a-z 0-9 _ - (default: a new one)', idOption)
    .option('--language <tag>', 'its default language (default: the first of --languages, else en)', languageOption)
    .option(
      '--languages <tags>',
      'all its languages, separated by commas (default: the default language)',
      languagesOption,
    )
    .option('--url <url>', "the site's own address, the base of its content's urls", siteUrlOption)
    .option('--json', 'print the new site as JSON')
    .action(runSiteCreate);
  addExamples(command, [
    ['A site in one language', `${PROGRAM} site create --name "My Magazine"`],
    ['A site with translations', `${PROGRAM} site create --name Docs --id docs --languages en,fr,pt-BR`],
  ]);
}

async function runSiteCreate(flags: SiteCreateFlags, command: Command): Promise<void> {
  const defaultLanguage = flags.language ?? flags.languages?.[0] ?? DEFAULT_LANGUAGE;
  const languages = flags.languages ?? [defaultLanguage];
  if (!languages.includes(defaultLanguage)) {
    command.error(`error: --languages must contain the default language ${defaultLanguage}`);
  }
  const { COMMAND_ACTOR, createDesk, createSite, withStorage } = await loadWork();
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

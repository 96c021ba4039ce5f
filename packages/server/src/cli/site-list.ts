import type { Command } from 'commander';
import type { Site } from '../content/catalog.ts';
import { PROGRAM } from '../program-name.ts';
import { loadWork } from './load-work.ts';
import { createPaint } from './paint.ts';
import { printJson, printPainted, printText } from './print-result.ts';
import { renderTable } from './table.ts';

export function defineSiteList(site: Command): void {
  site
    .command('list')
    .summary('list the sites')
    .description('Lists all sites. The ID is what requests name in their site header.')
    .option('--json', 'print the sites as a JSON array')
    .action(runSiteList);
}

async function runSiteList(flags: { readonly json?: true }): Promise<void> {
  const { selectSites, withExistingStorage } = await loadWork();
  const sites = await withExistingStorage((storage) => storage.read(selectSites()));
  if (flags.json) return printJson(sites.map(describeSite));
  if (sites.length === 0) return printText(`There are no sites yet. Create one: ${PROGRAM} site create --name NAME`);
  const rows = sites.map((site) => [site.id, site.name, listLanguages(site), site.url ?? '–']);
  const table = { headings: ['ID', 'NAME', 'LANGUAGES', 'URL'], rows };
  printPainted(renderTable(table, process.stdout.columns, createPaint(process.stdout)));
}

/** The default language stands first. */
function listLanguages({ defaultLanguage, languages }: Site): string {
  return [defaultLanguage, ...languages.filter((language) => language !== defaultLanguage)].join(', ');
}

export function describeSite({ id, name, defaultLanguage, languages, url }: Site) {
  return { id, name, default_language: defaultLanguage, languages, url };
}

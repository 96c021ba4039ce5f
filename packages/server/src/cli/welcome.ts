// What a person sees when the service has started. Labels stand in one column, what can be copied in the other.

import type { Site } from '../content/catalog.ts';
import type { DemoAccess } from '../explorer/demo-access.ts';
import { PROGRAM } from './help-text.ts';
import { cleanText, type Paint } from './paint.ts';

export interface Welcome {
  readonly version: string;
  readonly url: string;
  readonly sites: readonly Site[];
  readonly hasKey: boolean;
}

export interface DemoWelcome {
  readonly version: string;
  readonly url: string;
  readonly headerPrefix: string;
  readonly demo: DemoAccess;
}

type Row = readonly [label: string, value: string];

const LABEL_COLUMNS = 11;
const SITES_SHOWN = 5;

export function renderDemoWelcome({ version, url, headerPrefix, demo }: DemoWelcome, paint: Paint): string {
  return renderBlock([
    renderTitle(version, paint),
    renderRows(listAddresses(url), paint),
    [paint('title', 'A demo site was created. Its key is shown this once:')],
    renderRows(
      [
        ['Site ID', paint('key', demo.siteId)],
        ['API key', paint('key', demo.token)],
      ],
      paint,
    ),
    [paint('title', 'Try it:')],
    renderCurl(url, headerPrefix, demo),
  ]);
}

export function renderWelcome({ version, url, sites, hasKey }: Welcome, paint: Paint): string {
  const rows = [...listAddresses(url), ...listSites(sites)];
  const hints =
    sites.length === 0
      ? suggestSite()
      : [hasKey ? 'For another API key:' : 'There is no API key that works. Create one:', `  ${suggestKey(sites)}`];
  return renderBlock([renderTitle(version, paint), renderRows(rows, paint), hints.map((hint) => paint('dim', hint))]);
}

function renderTitle(version: string, paint: Paint): readonly string[] {
  return [`${paint('title', `Galley ${version}`)} is running. ${paint('dim', 'Ctrl+C stops it.')}`];
}

function listAddresses(url: string): readonly Row[] {
  return [
    ['API', `${url}/api/v1`],
    ['Explorer', `${url}/docs`],
  ];
}

function listSites(sites: readonly Site[]): readonly Row[] {
  const rows = sites
    .slice(0, SITES_SHOWN)
    .map((site, index): Row => [index === 0 ? 'Sites' : '', `${site.id}  ${cleanText(site.name)}`]);
  return sites.length > SITES_SHOWN ? [...rows, ['', `and ${sites.length - SITES_SHOWN} more`]] : rows;
}

function suggestSite(): readonly string[] {
  return [
    'There is no site yet. Create one, or import one:',
    `  ${PROGRAM} site create --name NAME`,
    `  ${PROGRAM} import FILE`,
  ];
}

export function suggestKey(sites: readonly Site[]): string {
  const [only] = sites;
  return `${PROGRAM} key create ${only !== undefined && sites.length === 1 ? `--site ${only.id}` : '--all-sites'}`;
}

/** Pasted into a shell, it works as it stands: nothing in it needs more than the quotes. */
function renderCurl(url: string, headerPrefix: string, demo: DemoAccess): readonly string[] {
  return [
    `curl '${url}/api/v1/content?content_type=article&limit=2' \\`,
    `  -H 'Authorization: Bearer ${demo.token}' \\`,
    `  -H '${headerPrefix}-SITE: ${demo.siteId}'`,
  ];
}

function renderRows(rows: readonly Row[], paint: Paint): readonly string[] {
  return rows.map(([label, value]) => `${paint('dim', label.padEnd(LABEL_COLUMNS))}${value}`);
}

function renderBlock(sections: readonly (readonly string[])[]): string {
  const text = sections.map((lines) => lines.map((line) => `  ${line}\n`).join('')).join('\n');
  return `\n${text}\n`;
}

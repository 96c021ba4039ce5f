// Prints the service's startup message: a welcome on a terminal, the log line `listening` for scripts. A new demo's secrets are
// printed in both cases, because they are shown only once.

import type { Logger } from 'pino';
import { buildSetUpToken } from '../authoring/people/set-up.ts';
import type { Site } from '../content/catalog.ts';
import type { NewDemo } from '../demo/with-new-demo.ts';
import type { DemoAccess } from '../explorer/register-explorer.ts';
import { PROGRAM } from '../program-name.ts';
import type { Settings } from '../settings.ts';
import { hasUsers, MAIN_ACCOUNT_NO } from '../storage/accounts/accounts.ts';
import { selectAllKeys } from '../storage/keys/api-keys.ts';
import { selectSites } from '../storage/sites/select-catalog.ts';
import type { Storage } from '../storage/storage.ts';
import { findKeyState } from './key.ts';
import { cleanText, createPaint, type Paint } from './paint.ts';

interface DemoAnnouncement {
  readonly version: string;
  readonly settings: Settings;
  readonly url: string;
  readonly demo: NewDemo;
}

/** Call this before the demo is committed: a key and a password that nobody saw would be useless. */
export function announceDemo({ version, settings, url, demo }: DemoAnnouncement): void {
  const { headerPrefix, isAdminServed } = settings;
  const welcome = { version, url, headerPrefix, isAdminServed, demo };
  process.stdout.write(renderDemoWelcome(welcome, createPaint(process.stdout)));
}

interface ServiceAnnouncement {
  readonly version: string;
  readonly settings: Settings;
  readonly url: string;
  readonly storage: Storage;
  readonly log: Logger;
  /** Whether this run announced a new demo. */
  readonly isNew: boolean;
}

export async function announceService(service: ServiceAnnouncement): Promise<void> {
  const { version, settings, url, storage, log, isNew } = service;
  const now = Date.now();
  const sites = await storage.read(selectSites());
  const keys = await storage.read(selectAllKeys(MAIN_ACCOUNT_NO));
  const hasKey = keys.some((key) => findKeyState(key, now) === 'active');
  const { isAdminServed, publicUrl } = settings;
  const setUpLink = isAdminServed ? await buildSetUpLink(storage, publicUrl ?? url) : undefined;
  if (process.stdout.isTTY) {
    if (isNew) return;
    const welcome = { version, url, isAdminServed, sites, hasKey, setUpLink };
    process.stdout.write(renderWelcome(welcome, createPaint(process.stdout)));
    return;
  }
  if (sites.length > 0 && !hasKey) log.warn({ create: suggestKey(sites) }, 'there is no active API key');
  if (setUpLink !== undefined)
    log.warn({ link: setUpLink }, 'nobody can sign in yet: open the link to create an owner');
  log.info({ address: url }, 'listening');
}

/**
 * Undefined if a user exists. The token is in the fragment, which browsers do not send, so it does not reach proxies or logs.
 */
export async function buildSetUpLink(storage: Storage, baseUrl: string): Promise<string | undefined> {
  if (await storage.read(hasUsers())) return undefined;
  return `${baseUrl}/admin/set-up#token=${buildSetUpToken(storage)}`;
}

interface Start {
  readonly version: string;
  readonly url: string;
  /** Whether the management API is served. */
  readonly isAdminServed: boolean;
}

export interface Welcome extends Start {
  readonly sites: readonly Site[];
  readonly hasKey: boolean;
  /** The link that creates the first owner; undefined if someone can sign in, or if the panel is not served. */
  readonly setUpLink: string | undefined;
}

interface DemoWelcome extends Start {
  readonly headerPrefix: string;
  readonly demo: NewDemo;
}

type Row = readonly [label: string, value: string];

const LABEL_COLUMNS = 11;
const SITES_SHOWN = 5;

export function renderDemoWelcome(welcome: DemoWelcome, paint: Paint): string {
  const { version, url, headerPrefix, demo } = welcome;
  return renderBlock([
    renderTitle(version, paint),
    renderRows(listAddresses(welcome), paint),
    [paint('title', 'Galley created a demo site. Its secrets are shown only once:')],
    renderRows(
      listSecrets(demo).map(([label, value]): Row => [label, paint('key', value)]),
      paint,
    ),
    [paint('title', 'Try it:')],
    renderCurl(url, headerPrefix, demo.access),
  ]);
}

export function renderWelcome(welcome: Welcome, paint: Paint): string {
  const rows = [...listAddresses(welcome), ...listSites(welcome.sites)];
  const hints = listHints(welcome).map((hint) => paint('dim', hint));
  return renderBlock([
    renderTitle(welcome.version, paint),
    renderRows(rows, paint),
    ...renderSetUp(welcome.setUpLink, paint),
    hints,
  ]);
}

function renderTitle(version: string, paint: Paint): readonly string[] {
  return [`${paint('title', `Galley ${version}`)} is running. ${paint('dim', 'Ctrl+C stops it.')}`];
}

function listAddresses({ url, isAdminServed }: Start): readonly Row[] {
  const rows: readonly Row[] = [
    ['API', `${url}/api/v1`],
    ['Explorer', `${url}/docs`],
  ];
  return isAdminServed ? [...rows, ['Admin', `${url}/admin`], ['Management', `${url}/manage/docs`]] : rows;
}

function renderSetUp(link: string | undefined, paint: Paint): readonly (readonly string[])[] {
  if (link === undefined) return [];
  return [[paint('title', 'Nobody can sign in yet. Open this link to create an owner:')], [paint('key', link)]];
}

function listSecrets({ access, signIn }: NewDemo): readonly Row[] {
  const rows: readonly Row[] = [
    ['Site ID', access.siteId],
    ['API key', access.token],
  ];
  return signIn === undefined ? rows : [...rows, ['Email', signIn.email], ['Password', signIn.password]];
}

function listSites(sites: readonly Site[]): readonly Row[] {
  const rows = sites
    .slice(0, SITES_SHOWN)
    .map((site, index): Row => [index === 0 ? 'Sites' : '', `${site.id}  ${cleanText(site.name)}`]);
  return sites.length > SITES_SHOWN ? [...rows, ['', `and ${sites.length - SITES_SHOWN} more`]] : rows;
}

function listHints({ sites, hasKey }: Welcome): readonly string[] {
  const reading = hasKey ? 'To create another API key:' : 'There is no active API key. Create one:';
  return sites.length === 0 ? suggestSite() : [reading, `  ${suggestKey(sites)}`];
}

function suggestSite(): readonly string[] {
  return [
    'There are no sites yet. Create or import one:',
    `  ${PROGRAM} site create --name NAME`,
    `  ${PROGRAM} import FILE`,
  ];
}

function suggestKey(sites: readonly Site[]): string {
  const [only] = sites;
  return `${PROGRAM} key create ${only !== undefined && sites.length === 1 ? `--site ${only.id}` : '--all-sites'}`;
}

/** A command that works when pasted into a shell. None of its values needs more than single quotes. */
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

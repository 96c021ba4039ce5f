import type { Command } from 'commander';
import { MOST_REQUESTS_A_MINUTE } from '../content/api-token.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../content/timestamp.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { cleanText, createPaint, type Paint } from './paint.ts';
import { expiryOption, idsOption, nameOption, wholeNumberOption } from './parse-option.ts';
import { printJson, printPainted } from './print-result.ts';

interface KeyCreateFlags {
  readonly site?: readonly string[];
  readonly allSites?: true;
  readonly name: string;
  readonly preview?: true;
  readonly expires?: number;
  readonly rateLimit?: number;
  readonly json?: true;
}

export function defineKeyCreate(key: Command): void {
  const command = key
    .command('create')
    .summary('create an API key')
    .description('Creates an API key and prints its token. The token is shown this once: only its hash is kept.')
    .option('--site <id>', 'a site that the key may read; can be given more than once', idsOption)
    .option('--all-sites', 'the key may read every site, those of the future too')
    .option('--name <name>', 'what the key is for', nameOption, 'API key')
    .option('--preview', 'the key may read unpublished content')
    .option('--expires <date>', 'the last day it works (2027-01-31, in UTC), or an ISO 8601 time', expiryOption)
    .option(
      '--rate-limit <n>',
      "requests a minute; 0 for none (default: the server's GALLEY_RATE_LIMIT)",
      wholeNumberOption(0, MOST_REQUESTS_A_MINUTE),
    )
    .option('--json', 'print the key, with its token, as JSON')
    .action(runKeyCreate);
  addExamples(command, [
    ['For a web site', `${PROGRAM} key create --site s_demo --name Website`],
    ['For editors, until the end of a year', `${PROGRAM} key create --all-sites --preview --expires 2027-12-31`],
    ['For a script', `TOKEN=$(${PROGRAM} key create --site s_demo --json | jq -r .token)`],
  ]);
}

async function runKeyCreate(flags: KeyCreateFlags, command: Command): Promise<void> {
  const sites = [...new Set(flags.site)];
  const hasAllSites = flags.allSites === true;
  if (hasAllSites && sites.length > 0) command.error('error: --site and --all-sites exclude each other');
  if (!hasAllSites && sites.length === 0) command.error('error: name a --site, or say --all-sites');
  const { name, preview: mayPreview = false, expires: expiresAt = null, rateLimit = null } = flags;
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new CommandFailure(`The key would have expired already, at ${formatTimestamp(expiresAt)}.`);
  }
  const siteIds = hasAllSites ? null : sites;
  const { COMMAND_ACTOR, createApiKey, createDesk, selectSites, withStorage } = await loadWork();
  const request = { name, siteIds, mayPreview, expiresAt, rateLimit };
  const { id, token, prefix } = await withStorage(async (storage) => {
    const known = new Set((await storage.read(selectSites())).map((site) => site.id));
    const unknown = sites.find((site) => !known.has(site));
    if (unknown !== undefined) throw new CommandFailure(`There is no site ${unknown}.`);
    return createApiKey(createDesk(storage), COMMAND_ACTOR, request);
  });
  const key = {
    id,
    token,
    prefix,
    name,
    sites,
    all_sites: hasAllSites,
    preview: mayPreview,
    expires_at: formatOptionalTimestamp(expiresAt),
    rate_limit: rateLimit,
  };
  if (flags.json) return printJson(key);
  printPainted(renderNewKey(key, createPaint(process.stdout)));
}

interface NewKey {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly sites: readonly string[];
  readonly all_sites: boolean;
  readonly preview: boolean;
  readonly expires_at: string | null;
  readonly rate_limit: number | null;
}

function renderNewKey(key: NewKey, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Token', paint('key', key.token)],
    ['ID', key.id],
    ['Name', cleanText(key.name)],
    ['Sites', key.all_sites ? 'all' : key.sites.join(', ')],
    ['Preview', key.preview ? 'yes' : 'no'],
    ['Expires', key.expires_at ?? 'never'],
    ['Limit', describeLimit(key.rate_limit)],
  ];
  return [
    '',
    `  ${paint('title', 'Created an API key.')}`,
    '',
    ...rows.map(([label, value]) => `  ${paint('dim', label.padEnd(9))} ${value}`),
    '',
    '  The token is shown this once: keep it now. A lost one cannot be found again;',
    '  create another key and revoke this one.',
    '',
    '',
  ].join('\n');
}

export function describeLimit(rateLimit: number | null): string {
  if (rateLimit === null) return 'default';
  return rateLimit === 0 ? 'none' : `${rateLimit} a minute`;
}

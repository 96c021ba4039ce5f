import type { Command } from 'commander';
import { MOST_REQUESTS_A_MINUTE } from '../content/api-token.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../content/timestamp.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { expiryOption, idsOption, nameOption, wholeNumberOption } from './parse-option.ts';
import { formatTime, printCreated, printJson, printTable, printText } from './print-result.ts';

export function defineKey(program: Command): void {
  const key = defineGroup(program, 'key', 'create, list and revoke API keys');
  defineCreate(key);
  defineList(key);
  defineRevoke(key);
}

interface CreateFlags {
  readonly site?: readonly string[];
  readonly allSites?: true;
  readonly name: string;
  readonly preview?: true;
  readonly expires?: number;
  readonly rateLimit?: number;
  readonly json?: true;
}

function defineCreate(key: Command): void {
  const command = key
    .command('create')
    .summary('create an API key')
    .description('Creates an API key and prints its token. The token is shown only once; Galley stores only its hash.')
    .option('--site <id>', 'site that the key can read; repeat for several sites', idsOption)
    .option('--all-sites', 'the key can read all sites, including future ones')
    .option('--name <name>', 'name of the key', nameOption, 'API key')
    .option('--preview', 'the key can read unpublished content')
    .option('--expires <date>', 'last day it works (2027-01-31, in UTC), or an ISO 8601 time', expiryOption)
    .option(
      '--rate-limit <n>',
      "requests per minute; 0 for no limit (default: the server's GALLEY_RATE_LIMIT)",
      wholeNumberOption(0, MOST_REQUESTS_A_MINUTE),
    )
    .option('--json', 'print the key, with its token, as JSON')
    .action(runCreate);
  addExamples(command, [
    ['For a website', `${PROGRAM} key create --site s_demo --name Website`],
    ['For editors, until the end of 2027', `${PROGRAM} key create --all-sites --preview --expires 2027-12-31`],
    ['For a script', `TOKEN=$(${PROGRAM} key create --site s_demo --json | jq -r .token)`],
  ]);
}

async function runCreate(flags: CreateFlags, command: Command): Promise<void> {
  const sites = [...new Set(flags.site)];
  const hasAllSites = flags.allSites === true;
  if (hasAllSites && sites.length > 0) command.error('error: use either --site or --all-sites, not both');
  if (!hasAllSites && sites.length === 0) command.error('error: --site or --all-sites is required');
  const { name, preview: mayPreview = false, expires: expiresAt = null, rateLimit = null } = flags;
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new CommandFailure(`The key would already have expired: ${formatTimestamp(expiresAt)}.`);
  }
  const siteIds = hasAllSites ? null : sites;
  const { COMMAND_ACTOR, createApiKey, createDesk, selectSites, withStorage } = await import('./work.ts');
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
  printNewKey(key);
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

function printNewKey(key: NewKey): void {
  const paint = createPaint(process.stdout);
  printCreated({
    title: 'Created an API key.',
    rows: [
      ['Token', paint('key', key.token)],
      ['ID', key.id],
      ['Name', cleanText(key.name)],
      ['Sites', key.all_sites ? 'all' : key.sites.join(', ')],
      ['Preview', key.preview ? 'yes' : 'no'],
      ['Expires', key.expires_at ?? 'never'],
      ['Limit', describeLimit(key.rate_limit)],
    ],
    advice: ['Save the token now: it is shown only once. If you lose it,', 'create another key and revoke this one.'],
  });
}

function describeLimit(rateLimit: number | null): string {
  if (rateLimit === null) return 'default';
  return rateLimit === 0 ? 'none' : `${rateLimit} per minute`;
}

function defineList(key: Command): void {
  key
    .command('list')
    .summary('list the API keys')
    .description('Lists all API keys, including revoked and expired ones. Only the start of each token is stored.')
    .option('--json', 'print the keys as a JSON array')
    .action(runList);
}

async function runList(flags: { readonly json?: true }): Promise<void> {
  const now = Date.now();
  const { MAIN_ACCOUNT_NO, selectAllKeys, withExistingStorage } = await import('./work.ts');
  const stored = await withExistingStorage((storage) => storage.read(selectAllKeys(MAIN_ACCOUNT_NO)));
  const keys = stored.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    sites: key.siteIds ?? [],
    all_sites: key.siteIds === null,
    preview: key.mayPreview,
    expires_at: formatOptionalTimestamp(key.expiresAt),
    rate_limit: key.rateLimit,
    created_at: formatTimestamp(key.createdAt),
    last_used_at: formatOptionalTimestamp(key.lastUsedAt),
    state: findKeyState(key, now),
  }));
  if (flags.json) return printJson(keys);
  if (keys.length === 0) return printText(`There are no API keys yet. Create one: ${PROGRAM} key create --site ID`);
  const rows = keys.map((key) => [
    key.id,
    key.state,
    key.name,
    `${key.prefix}…`,
    key.all_sites ? 'all' : key.sites.join(', '),
    key.preview ? 'yes' : 'no',
    formatTime(key.expires_at),
    describeLimit(key.rate_limit),
  ]);
  const headings = ['ID', 'STATE', 'NAME', 'TOKEN', 'SITES', 'PREVIEW', 'EXPIRES', 'LIMIT'];
  printTable({ headings, rows });
}

interface KeyTimes {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

export function findKeyState(key: KeyTimes, now: number): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

function defineRevoke(key: Command): void {
  key
    .command('revoke')
    .summary('revoke an API key')
    .description('Revokes an API key. From then on, requests that use it are rejected. This cannot be undone.')
    .argument('<id>', 'id of the key; see "galley key list"')
    .option('--json', 'print the result as JSON')
    .action(runRevoke);
}

async function runRevoke(id: string, flags: { readonly json?: true }): Promise<void> {
  const { COMMAND_ACTOR, createDesk, revokeApiKey, withExistingStorage } = await import('./work.ts');
  await withExistingStorage((storage) => revokeApiKey(createDesk(storage), COMMAND_ACTOR, id));
  if (flags.json) return printJson({ id, state: 'revoked' });
  printText(`Revoked the API key ${id}.`);
}

import type { Command } from 'commander';
import { formatOptionalTimestamp, formatTimestamp } from '../content/timestamp.ts';
import { PROGRAM } from '../program-name.ts';
import { describeLimit } from './key-create.ts';
import { loadWork } from './load-work.ts';
import { createPaint } from './paint.ts';
import { printJson, printPainted, printText } from './print-result.ts';
import { renderTable } from './table.ts';

export function defineKeyList(key: Command): void {
  key
    .command('list')
    .summary('list the API keys')
    .description('Lists all API keys, revoked and expired ones too. Of a token only the beginning is known.')
    .option('--json', 'print the keys as a JSON array')
    .action(runKeyList);
}

async function runKeyList(flags: { readonly json?: true }): Promise<void> {
  const now = Date.now();
  const { MAIN_ACCOUNT_NO, selectAllKeys, withExistingStorage } = await loadWork();
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
    key.expires_at === null ? 'never' : `${key.expires_at.slice(0, 16).replace('T', ' ')} UTC`,
    describeLimit(key.rate_limit),
  ]);
  const headings = ['ID', 'STATE', 'NAME', 'TOKEN', 'SITES', 'PREVIEW', 'EXPIRES', 'LIMIT'];
  printPainted(renderTable({ headings, rows }, process.stdout.columns, createPaint(process.stdout)));
}

interface KeyTimes {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

export function findKeyState(key: KeyTimes, now: number): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

import type { Command } from 'commander';
import { formatTimestamp } from '../content/timestamp.ts';
import { PROGRAM } from './help-text.ts';
import { describeLimit } from './key-create.ts';
import { loadWork } from './load-work.ts';
import { createPaint } from './paint.ts';
import { printJson, printText } from './print-result.ts';
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
  const { selectKeys, withExistingStorage } = await loadWork();
  const stored = await withExistingStorage((storage) => storage.read(selectKeys()));
  const keys = stored.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    sites: key.siteIds,
    all_sites: key.has_all_sites === 1,
    preview: key.may_preview === 1,
    expires_at: key.expires_at === null ? null : formatTimestamp(key.expires_at),
    rate_limit: key.rate_limit,
    created_at: formatTimestamp(key.created_at),
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
  printText(renderTable({ headings, rows }, process.stdout.columns, createPaint(process.stdout)));
}

interface KeyTimes {
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
}

export function findKeyState(key: KeyTimes, now: number): 'active' | 'expired' | 'revoked' {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

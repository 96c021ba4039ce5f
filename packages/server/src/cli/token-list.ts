import type { ManagementTokenBody } from '@galley/wire';
import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import type { ManagementTokenRow, Storage } from '../storage/port.ts';
import { loadWork } from './load-work.ts';
import { createPaint } from './paint.ts';
import { idOption } from './parse-option.ts';
import { printJson, printPainted, printText } from './print-result.ts';
import { renderTable } from './table.ts';

const READ_AT_ONCE = 500;
const UNKNOWN_ADVICE =
  'Nobody knows who created the active tokens marked "unknown", so they keep working when a user is suspended or deleted. Replace them, and revoke them.';

export function defineTokenList(token: Command): void {
  token
    .command('list')
    .summary('list the management tokens')
    .description(
      'Lists all management tokens with whoever created them, revoked and expired ones too. A token is suspended while the ' +
        'user who created it is suspended or does not have its role. Of a token only the beginning is known.',
    )
    .option('--account <id>', 'the account whose tokens are listed (default: the main account)', idOption)
    .option('--json', 'print the tokens as a JSON array')
    .action(runTokenList);
}

async function runTokenList(flags: { readonly account?: string; readonly json?: true }): Promise<void> {
  const { createDesk, findCommandActor, renderToken, withExistingStorage } = await loadWork();
  const rows = await withExistingStorage(async (storage) =>
    readTokens(storage, (await findCommandActor(createDesk(storage), flags.account)).accountNo),
  );
  const now = Date.now();
  const tokens = rows.map((row) => renderToken(row, now));
  if (flags.json) return printJson(tokens);
  if (tokens.length === 0) return printText(`There are no tokens yet. Create one: ${PROGRAM} token create --name NAME`);
  const headings = ['ID', 'STATE', 'NAME', 'TOKEN', 'ROLE', 'CREATED BY', 'EXPIRES', 'LAST USED'];
  printPainted(
    renderTable({ headings, rows: tokens.map(listCells) }, process.stdout.columns, createPaint(process.stdout)),
  );
  if (tokens.some(({ state, created_by }) => state === 'active' && created_by === null))
    printText(`\n${UNKNOWN_ADVICE}`);
}

async function readTokens(storage: Storage, accountNo: number): Promise<readonly ManagementTokenRow[]> {
  const { selectManagementTokens } = await loadWork();
  const rows: ManagementTokenRow[] = [];
  for (;;) {
    const page = await storage.read(selectManagementTokens(accountNo, rows.at(-1)?.id ?? '', READ_AT_ONCE));
    rows.push(...page);
    if (page.length < READ_AT_ONCE) return rows;
  }
}

function listCells(token: ManagementTokenBody): readonly string[] {
  const { id, state, name, prefix, role } = token;
  const creator = token.created_by?.name ?? 'unknown';
  return [id, state, name, `${prefix}…`, role, creator, showTime(token.expires_at), showTime(token.last_used_at)];
}

function showTime(time: string | null): string {
  return time === null ? 'never' : `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

import type { ManagementTokenBody } from '@galley/wire';
import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../content/role.ts';
import { formatTimestamp } from '../content/timestamp.ts';
import { PROGRAM } from '../program-name.ts';
import type { ManagementTokenRow } from '../storage/accounts/management-tokens.ts';
import type { Storage } from '../storage/storage.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { expiryOption, idOption, nameOption } from './parse-option.ts';
import { formatTime, printCreated, printJson, printTable, printText } from './print-result.ts';

export function defineToken(program: Command): void {
  const token = defineGroup(program, 'token', 'create, list and revoke management tokens');
  defineCreate(token);
  defineList(token);
  defineRevoke(token);
}

interface CreateFlags {
  readonly name: string;
  readonly role: Role;
  readonly expires?: number;
  readonly account?: string;
  readonly json?: true;
}

function defineCreate(token: Command): void {
  const command = token
    .command('create')
    .summary('create a management token')
    .description(
      'Creates a token for scripts that use the management API. The token is shown only once; Galley stores only its hash.',
    )
    .requiredOption('--name <name>', 'name of the token', nameOption)
    .addOption(new Option('--role <role>', 'owner or editor').choices(ROLES).default('owner' satisfies Role))
    .option('--expires <date>', 'last day it works (2027-01-31, in UTC), or an ISO 8601 time', expiryOption)
    .option('--account <id>', 'the token’s account (default: the main account)', idOption)
    .option('--json', 'print the token as JSON')
    .action(runCreate);
  addExamples(command, [
    ['For a script that can do everything', `TOKEN=$(${PROGRAM} token create --name Setup --json | jq -r .token)`],
    ['For a script that only writes content', `${PROGRAM} token create --name CI --role editor`],
  ]);
}

async function runCreate(flags: CreateFlags): Promise<void> {
  const { name, role, expires: expiresAt = null } = flags;
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new CommandFailure(`The token would already have expired: ${formatTimestamp(expiresAt)}.`);
  }
  const { createDesk, createManagementToken, findCommandActor, renderToken, withStorage } = await import('./work.ts');
  const { row, token } = await withStorage(async (storage) => {
    const desk = createDesk(storage);
    return createManagementToken(desk, await findCommandActor(desk, flags.account), { name, role, expiresAt });
  });
  const created = { ...renderToken(row, Date.now()), token };
  if (flags.json) return printJson(created);
  const paint = createPaint(process.stdout);
  printCreated({
    title: 'Created a management token.',
    rows: [
      ['Token', paint('key', token)],
      ['ID', created.id],
      ['Name', cleanText(name)],
      ['Role', role],
      ['Expires', created.expires_at ?? 'never'],
    ],
    advice: ['Save the token now: it is shown only once. If you lose it,', 'create another and revoke this one.'],
  });
}

const READ_AT_ONCE = 500;
const UNKNOWN_ADVICE =
  'Galley has no record of who created the active tokens marked "unknown", so they keep working even when a user is suspended or deleted. Replace and revoke them.';

function defineList(token: Command): void {
  token
    .command('list')
    .summary('list the management tokens')
    .description(
      'Lists all management tokens, including revoked and expired ones, and who created each of them. A token is suspended ' +
        'while its creator is suspended or does not have its role. Only the start of each token is stored.',
    )
    .option('--account <id>', 'the tokens’ account (default: the main account)', idOption)
    .option('--json', 'print the tokens as a JSON array')
    .action(runList);
}

async function runList(flags: { readonly account?: string; readonly json?: true }): Promise<void> {
  const { createDesk, findCommandActor, renderToken, withExistingStorage } = await import('./work.ts');
  const rows = await withExistingStorage(async (storage) =>
    readTokens(storage, (await findCommandActor(createDesk(storage), flags.account)).accountNo),
  );
  const now = Date.now();
  const tokens = rows.map((row) => renderToken(row, now));
  if (flags.json) return printJson(tokens);
  if (tokens.length === 0) return printText(`There are no tokens yet. Create one: ${PROGRAM} token create --name NAME`);
  const headings = ['ID', 'STATE', 'NAME', 'TOKEN', 'ROLE', 'CREATED BY', 'EXPIRES', 'LAST USED'];
  printTable({ headings, rows: tokens.map(listCells) });
  if (tokens.some(({ state, created_by }) => state === 'active' && created_by === null))
    printText(`\n${UNKNOWN_ADVICE}`);
}

async function readTokens(storage: Storage, accountNo: number): Promise<readonly ManagementTokenRow[]> {
  const { selectManagementTokens } = await import('./work.ts');
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
  return [id, state, name, `${prefix}…`, role, creator, formatTime(token.expires_at), formatTime(token.last_used_at)];
}

function defineRevoke(token: Command): void {
  token
    .command('revoke')
    .summary('revoke a management token')
    .description('Revokes a management token. From then on, requests that use it are rejected. This cannot be undone.')
    .argument('<id>', 'id of the token; see "galley token list"')
    .option('--account <id>', 'the token’s account (default: the main account)', idOption)
    .option('--json', 'print the result as JSON')
    .action(runRevoke);
}

async function runRevoke(id: string, flags: { readonly account?: string; readonly json?: true }): Promise<void> {
  const { createDesk, findCommandActor, revokeManagementToken, withExistingStorage } = await import('./work.ts');
  await withExistingStorage(async (storage) => {
    const desk = createDesk(storage);
    await revokeManagementToken(desk, await findCommandActor(desk, flags.account), id);
  });
  if (flags.json) return printJson({ id, state: 'revoked' });
  printText(`Revoked the management token ${id}.`);
}

import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../content/role.ts';
import { formatTimestamp } from '../content/timestamp.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { cleanText, createPaint } from './paint.ts';
import { expiryOption, idOption, nameOption } from './parse-option.ts';
import { printJson, printPainted } from './print-result.ts';
import { renderCreated } from './render-created.ts';

interface TokenCreateFlags {
  readonly name: string;
  readonly role: Role;
  readonly expires?: number;
  readonly account?: string;
  readonly json?: true;
}

export function defineTokenCreate(token: Command): void {
  const command = token
    .command('create')
    .summary('create a management token')
    .description(
      'Creates a token by which automation drives the management API. It is shown this once: only its hash is kept.',
    )
    .requiredOption('--name <name>', 'what the token is for', nameOption)
    .addOption(new Option('--role <role>', 'owner or editor').choices(ROLES).default('owner' satisfies Role))
    .option('--expires <date>', 'the last day it works (2027-01-31, in UTC), or an ISO 8601 time', expiryOption)
    .option('--account <id>', 'the account that it belongs to (default: the main account)', idOption)
    .option('--json', 'print the token as JSON')
    .action(runTokenCreate);
  addExamples(command, [
    ['For a script that may do everything', `TOKEN=$(${PROGRAM} token create --name Setup --json | jq -r .token)`],
    ['For one that only writes content', `${PROGRAM} token create --name CI --role editor`],
  ]);
}

async function runTokenCreate(flags: TokenCreateFlags): Promise<void> {
  const { name, role, expires: expiresAt = null } = flags;
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new CommandFailure(`The token would have expired already, at ${formatTimestamp(expiresAt)}.`);
  }
  const { createDesk, createManagementToken, findCommandActor, renderToken, withStorage } = await loadWork();
  const { row, token } = await withStorage(async (storage) => {
    const desk = createDesk(storage);
    return createManagementToken(desk, await findCommandActor(desk, flags.account), { name, role, expiresAt });
  });
  const created = { ...renderToken(row, Date.now()), token };
  if (flags.json) return printJson(created);
  const paint = createPaint(process.stdout);
  printPainted(
    renderCreated(
      {
        title: 'Created a management token.',
        rows: [
          ['Token', paint('key', token)],
          ['ID', created.id],
          ['Name', cleanText(name)],
          ['Role', role],
          ['Expires', created.expires_at ?? 'never'],
        ],
        advice: [
          'The token is shown this once: keep it now. A lost one cannot be found again;',
          'create another and revoke this one.',
        ],
      },
      paint,
    ),
  );
}

import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { buildPassword, PASSWORD_BYTES } from '../authoring/people/passwords.ts';
import { ROLES, type Role } from '../content/role.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { emailOption, idOption, nameOption } from './parse-option.ts';
import { printCreated, printJson, printText } from './print-result.ts';

export function defineUser(program: Command): void {
  const user = defineGroup(program, 'user', 'create and delete users who can sign in');
  defineCreate(user);
  defineDelete(user);
}

interface CreateFlags {
  readonly email: string;
  readonly name: string;
  readonly role?: Role;
  readonly passwordStdin?: true;
  readonly account?: string;
  readonly newAccount?: string;
  readonly json?: true;
}

function defineCreate(user: Command): void {
  const command = user
    .command('create')
    .summary('create a user who can sign in')
    .description(
      'Creates a user who can sign in. Without --password-stdin, Galley generates a password and prints it. It is shown only once.',
    )
    .requiredOption('--email <email>', 'email for signing in', emailOption)
    .requiredOption('--name <name>', 'name of the user', nameOption)
    .addOption(
      new Option('--role <role>', "owner or editor (default: owner for an account's first user, else editor)").choices(
        ROLES,
      ),
    )
    .option('--password-stdin', 'read the password from standard input')
    .option('--account <id>', 'account that the user belongs to (default: the main account)', idOption)
    .option('--new-account <name>', 'create an account with this name for the user', nameOption)
    .option('--json', 'print the user as JSON, with the generated password')
    .action(runCreate);
  addExamples(command, [
    ['The first owner', `${PROGRAM} user create --email ada@example.com --name Ada`],
    [
      'An editor, with a password from a file',
      `${PROGRAM} user create --email bo@b.test --name Bo --password-stdin <file`,
    ],
  ]);
}

async function runCreate(flags: CreateFlags, command: Command): Promise<void> {
  const { email, name, account, newAccount } = flags;
  if (account !== undefined && newAccount !== undefined) {
    command.error('error: use either --account or --new-account, not both');
  }
  const madePassword = flags.passwordStdin ? null : buildPassword(randomBytes(PASSWORD_BYTES));
  const password = madePassword ?? (await readPassword());
  const { createAccount, createDesk, createUser, findCommandActor, hasUsersIn, selectAccount, withStorage } =
    await import('./work.ts');
  const created = await withStorage(async (storage) => {
    const desk = createDesk(storage);
    if (newAccount !== undefined) {
      return createAccount(desk, newAccount, { email, name, role: flags.role ?? 'owner', password });
    }
    const actor = await findCommandActor(desk, account);
    const role = flags.role ?? ((await storage.read(hasUsersIn(actor.accountNo))) ? 'editor' : 'owner');
    const user = await createUser(desk, actor, { email, name, role, password });
    return { id: (await storage.read(selectAccount(actor.accountNo)))?.id ?? '', user };
  });
  const { id, role } = created.user;
  const user = { id, email, name, role, account: created.id, password: madePassword };
  if (flags.json) return printJson(user);
  printNewUser(user);
}

interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly account: string;
  readonly password: string | null;
}

function printNewUser({ id, email, name, role, account, password }: NewUser): void {
  const paint = createPaint(process.stdout);
  const secret = password === null ? [] : [['Password', paint('key', password)] as const];
  const advice = [
    'Save the password now: it is shown only once. The user can change it, and an',
    'owner can reset it.',
  ];
  printCreated({
    title: `Created an ${role}.`,
    rows: [['Email', email], ...secret, ['ID', id], ['Name', cleanText(name)], ['Role', role], ['Account', account]],
    advice: password === null ? [] : advice,
  });
}

/** More bytes than any password has. */
const MOST_BYTES = 4096;

/** Reads a password from standard input, without the trailing line break. */
async function readPassword(): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece));
    size += pieces.at(-1)?.length ?? 0;
    if (size > MOST_BYTES) throw new CommandFailure('The password from standard input is too long.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)).replace(/\r?\n$/, '');
  } catch {
    throw new CommandFailure('The password from standard input is not valid UTF-8.');
  }
}

function defineDelete(user: Command): void {
  const command = user
    .command('delete')
    .summary('delete a user for good')
    .description(
      'Deletes a user. Their sessions and the management tokens that they created stop working immediately. The history keeps a record of their actions, without their name. This cannot be undone.',
    )
    .argument('<email>', 'email of the user', emailOption)
    .option('--confirm <email>', 'the same email, to skip the prompt')
    .option('--json', 'print the result as JSON')
    .action(runDelete);
  addExamples(command, [['In a script', `${PROGRAM} user delete ada@example.com --confirm ada@example.com`]]);
}

interface DeleteFlags {
  readonly confirm?: string;
  readonly json?: true;
}

async function runDelete(email: string, flags: DeleteFlags, command: Command): Promise<void> {
  const warning = `This will delete the user ${email} and remove their name from the history and the audit log.`;
  await confirmDeletion(command, { name: email, warning, confirm: flags.confirm });
  const { createDesk, deleteUserByEmail, withExistingStorage } = await import('./work.ts');
  await withExistingStorage((storage) => deleteUserByEmail(createDesk(storage), email));
  if (flags.json) return printJson({ email, state: 'deleted' });
  printText(`Deleted the user ${email}.`);
}

import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { buildPassword, PASSWORD_BYTES } from '../authoring/people/passwords.ts';
import { ROLES, type Role } from '../content/role.ts';
import { PROGRAM } from '../program-name.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { cleanText, createPaint, type Paint } from './paint.ts';
import { emailOption, idOption, nameOption } from './parse-option.ts';
import { printJson, printPainted } from './print-result.ts';
import { readPassword } from './read-password.ts';
import { renderCreated } from './render-created.ts';

interface UserCreateFlags {
  readonly email: string;
  readonly name: string;
  readonly role?: Role;
  readonly passwordStdin?: true;
  readonly account?: string;
  readonly newAccount?: string;
  readonly json?: true;
}

export function defineUserCreate(user: Command): void {
  const command = user
    .command('create')
    .summary('create a user who can sign in')
    .description(
      'Creates a user who can sign in. Unless a password comes from standard input, one is made and printed; it is shown this once.',
    )
    .requiredOption('--email <email>', 'what the user signs in with', emailOption)
    .requiredOption('--name <name>', 'what the user is called', nameOption)
    .addOption(
      new Option('--role <role>', "owner or editor (default: owner for an account's first user, else editor)").choices(
        ROLES,
      ),
    )
    .option('--password-stdin', 'read the password from standard input')
    .option('--account <id>', 'the account that the user belongs to (default: the main account)', idOption)
    .option('--new-account <name>', 'create an account of this name for the user', nameOption)
    .option('--json', 'print the user, with a password that was made, as JSON')
    .action(runUserCreate);
  addExamples(command, [
    ['The first owner', `${PROGRAM} user create --email ada@example.com --name Ada`],
    ['An editor with a known password', `${PROGRAM} user create --email bo@b.test --name Bo --password-stdin <file`],
  ]);
}

async function runUserCreate(flags: UserCreateFlags, command: Command): Promise<void> {
  const { email, name, account, newAccount } = flags;
  if (account !== undefined && newAccount !== undefined) {
    command.error('error: --account and --new-account exclude each other');
  }
  const madePassword = flags.passwordStdin ? null : buildPassword(randomBytes(PASSWORD_BYTES));
  const password = madePassword ?? (await readPassword());
  const { createAccount, createDesk, createUser, findCommandActor, hasUsersIn, selectAccount, withStorage } =
    await loadWork();
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
  printPainted(renderNewUser(user, createPaint(process.stdout)));
}

interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly account: string;
  readonly password: string | null;
}

function renderNewUser({ id, email, name, role, account, password }: NewUser, paint: Paint): string {
  const secret = password === null ? [] : [['Password', paint('key', password)] as const];
  const advice = [
    'The password is shown this once: keep it now. The user can change it, and an',
    'owner can give another one when it is lost.',
  ];
  return renderCreated(
    {
      title: `Created an ${role}.`,
      rows: [['Email', email], ...secret, ['ID', id], ['Name', cleanText(name)], ['Role', role], ['Account', account]],
      advice: password === null ? [] : advice,
    },
    paint,
  );
}

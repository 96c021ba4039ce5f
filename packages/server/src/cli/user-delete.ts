import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { addExamples } from './help-text.ts';
import { loadWork } from './load-work.ts';
import { emailOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

export function defineUserDelete(user: Command): void {
  const command = user
    .command('delete')
    .summary('delete a user for good')
    .description(
      'Deletes a user. Sessions, and management tokens that the user created, end at once. The history keeps what they did, without the name. This cannot be undone.',
    )
    .argument('<email>', 'the email that the user signs in with', emailOption)
    .option('--confirm <email>', 'the same email, to go on without being asked')
    .option('--json', 'print the outcome as JSON')
    .action(runUserDelete);
  addExamples(command, [['In a script', `${PROGRAM} user delete ada@example.com --confirm ada@example.com`]]);
}

interface UserDeleteFlags {
  readonly confirm?: string;
  readonly json?: true;
}

async function runUserDelete(email: string, flags: UserDeleteFlags, command: Command): Promise<void> {
  const warning = `This deletes the user ${email} and takes their name out of the history and the audit log.`;
  await confirmDeletion(command, { name: email, warning, confirm: flags.confirm });
  const { createDesk, deleteUserByEmail, withExistingStorage } = await loadWork();
  await withExistingStorage((storage) => deleteUserByEmail(createDesk(storage), email));
  if (flags.json) return printJson({ email, state: 'deleted' });
  printText(`Deleted the user ${email}.`);
}

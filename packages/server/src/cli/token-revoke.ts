import type { Command } from 'commander';
import { loadWork } from './load-work.ts';
import { idOption } from './parse-option.ts';
import { printJson, printText } from './print-result.ts';

export function defineTokenRevoke(token: Command): void {
  token
    .command('revoke')
    .summary('revoke a management token')
    .description('Revokes a management token: from then on every request with it is refused. This cannot be undone.')
    .argument('<id>', 'the id of the token, as "galley token list" shows it')
    .option('--account <id>', 'the account that it belongs to (default: the main account)', idOption)
    .option('--json', 'print the outcome as JSON')
    .action(runTokenRevoke);
}

async function runTokenRevoke(id: string, flags: { readonly account?: string; readonly json?: true }): Promise<void> {
  const { createDesk, findCommandActor, revokeManagementToken, withExistingStorage } = await loadWork();
  await withExistingStorage(async (storage) => {
    const desk = createDesk(storage);
    await revokeManagementToken(desk, await findCommandActor(desk, flags.account), id);
  });
  if (flags.json) return printJson({ id, state: 'revoked' });
  printText(`Revoked the management token ${id}.`);
}

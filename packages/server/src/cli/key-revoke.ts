import type { Command } from 'commander';
import { loadWork } from './load-work.ts';
import { printJson, printText } from './print-result.ts';

export function defineKeyRevoke(key: Command): void {
  key
    .command('revoke')
    .summary('revoke an API key')
    .description('Revokes an API key: from then on every request with it is refused. This cannot be undone.')
    .argument('<id>', 'the id of the key, as "galley key list" shows it')
    .option('--json', 'print the outcome as JSON')
    .action(runKeyRevoke);
}

async function runKeyRevoke(id: string, flags: { readonly json?: true }): Promise<void> {
  const { COMMAND_ACTOR, createDesk, revokeApiKey, withExistingStorage } = await loadWork();
  await withExistingStorage((storage) => revokeApiKey(createDesk(storage), COMMAND_ACTOR, id));
  if (flags.json) return printJson({ id, state: 'revoked' });
  printText(`Revoked the API key ${id}.`);
}

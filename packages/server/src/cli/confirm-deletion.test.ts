import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { confirmDeletion } from './confirm-deletion.ts';

function openTerminal(isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  return { input, output, shown: () => String(output.read() ?? '') };
}

const command = new Command('delete').exitOverride().configureOutput({ writeErr: () => {} });
const deletion = { name: 's_old', warning: 'This deletes the site s_old.', confirm: undefined };

describe('confirmDeletion', () => {
  test('continues when a person types the name', async () => {
    const terminal = openTerminal();
    const confirmed = confirmDeletion(command, deletion, terminal);
    terminal.input.write(' s_old \n');
    await confirmed;
    const shown = terminal.shown();
    expect(shown).toContain('This deletes the site s_old. This cannot be undone.\n');
    expect(shown).toContain('Type s_old to confirm: ');
  });

  test.each(['yes\n', '\n', 'S_OLD\n', null])('deletes nothing when a person types %j', async (answer) => {
    const terminal = openTerminal();
    const confirmed = confirmDeletion(command, deletion, terminal);
    if (answer === null) terminal.input.end();
    else terminal.input.write(answer);
    await expect(confirmed).rejects.toThrow('Nothing was deleted.');
  });

  test('does not ask if --confirm matches the name', async () => {
    const terminal = openTerminal(false);
    await confirmDeletion(command, { ...deletion, confirm: 's_old' }, terminal);
    expect(terminal.shown()).toBe('');
  });

  test('reports a usage error if --confirm is a different name, or if there is no terminal', async () => {
    const terminal = openTerminal();
    await expect(confirmDeletion(command, { ...deletion, confirm: 's_new' }, terminal)).rejects.toThrow(
      '--confirm must be s_old, got s_new',
    );
    await expect(confirmDeletion(command, deletion, openTerminal(false))).rejects.toThrow('add --confirm s_old');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Starts to write a file, and never finishes. */
const WRITE = `
  import { writeNewFile } from ${JSON.stringify(join(import.meta.dirname, 'write-new-file.ts'))};
  setInterval(() => {}, 60_000);
  await writeNewFile('file.txt', { isForced: false, mode: 0o600 }, () => new Promise(() => console.log('writing')));
`;

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a program that %s ends while it writes a file leaves nothing behind',
  async (signal) => {
    const cwd = await mkdtemp(join(tmpdir(), 'galley-write-'));
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITE], { cwd });
    await once(child.stdout, 'data');
    expect(await readdir(cwd)).toEqual([expect.stringMatching(/^\.file\.txt\.\w{12}$/)]);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([null, signal]);
    expect(await readdir(cwd)).toEqual([]);
    await rm(cwd, { recursive: true });
  },
);

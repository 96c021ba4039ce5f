// The guide to a first site, run as it stands: every block of commands in one shell, in the order of the page. A block of
// text behind commands is what they print.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const GUIDE = join(ROOT, 'docs/guides/first-site.md');
const MARK = '--- block';

interface Step {
  readonly commands: string;
  /** Undefined where the guide does not say. */
  readonly prints: string | undefined;
}

test('the guide to a first site works as it stands', { timeout: 120_000 }, async () => {
  const steps = readSteps(await readFile(GUIDE, 'utf8'));
  expect(steps.length).toBeGreaterThan(8);
  const folder = await mkdtemp(join(tmpdir(), 'galley-guide-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  try {
    const printed = await run(steps, folder);
    for (const [index, { commands, prints }] of steps.entries()) {
      if (prints !== undefined) expect(printed[index], commands).toBe(prints);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function readSteps(page: string): readonly Step[] {
  const blocks = [...page.matchAll(/^```(sh|text)\n(.*?)^```$/gms)].map(([, kind, content = '']) => ({
    kind,
    content,
  }));
  return blocks.flatMap(({ kind, content }, index) => {
    if (kind !== 'sh') return [];
    const next = blocks[index + 1];
    return [{ commands: content, prints: next?.kind === 'text' ? next.content : undefined }];
  });
}

/** What each step has printed. The folder stands for the clone: `npx galley` is the same program there. */
async function run(steps: readonly Step[], folder: string): Promise<readonly string[]> {
  const script = steps.map(({ commands }) => `echo '${MARK}'\n${commands}`).join('\n');
  const port = await findFreePort();
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      GALLEY_PORT: String(port),
      SERVICE_URL: `http://127.0.0.1:${port}`,
      GALLEY_DATABASE_URL: `sqlite:${join(folder, 'galley.db')}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(shell.stdout), text(shell.stderr)]);
  const [status] = await once(shell, 'exit');
  // A guide that failed half way has left its service behind.
  killGroup(shell.pid);
  const [stdout, stderr] = await output;
  if (status !== 0) throw new Error(`The guide ended with ${status} after:\n${stdout.slice(-2000)}\n${stderr}`);
  return stdout.split(`${MARK}\n`).slice(1);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

// Runs the commands in the guide to a first site in one shell, in the order shown. A text block after commands shows their
// expected output.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import { makeFolder, runForJson, startServer } from '../support/galley-command.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const GUIDE = join(ROOT, 'docs/guides/first-site.md');
const GUIDE_PORT = '3100';
/** How often the guide checks whether its service has started. On a busy machine, that takes longer. */
const GUIDE_RETRIES = '--retry 30 ';
const MARK = '--- block';

interface Step {
  readonly commands: string;
  /** Undefined if the guide shows no output. */
  readonly prints: string | undefined;
}

test('the guide to a first site works as written, alongside the demo in the same clone', async () => {
  const page = await readFile(GUIDE, 'utf8');
  const steps = readSteps(page);
  expect(steps.length).toBeGreaterThan(8);
  await using clone = await makeFolder();
  await symlink(join(ROOT, 'node_modules'), join(clone.path, 'node_modules'));
  await using demo = await startServer({ cwd: clone.path });
  const port = await findFreePort();

  const printed = await run(steps, clone.path, { demo: new URL(demo.url).port, guide: port });
  for (const [index, { commands, prints }] of steps.entries()) {
    if (prints !== undefined) expect(printed[index], commands).toBe(prints);
  }

  expect((await fetch(`${demo.url}/readyz`)).status).toBe(200);
  expect(await runForJson(['site', 'list'], { cwd: clone.path })).toMatchObject([{ id: 's_demo' }]);
  expect(await readdir(clone.path)).toEqual(['data', 'first-site', 'node_modules']);
  await expect(fetch(`http://127.0.0.1:${port}/readyz`), "the guide's service has stopped").rejects.toThrow();
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

/**
 * Runs the steps in `folder`, which takes the place of the clone, and returns the output of each step. `npx --no galley` runs the same
 * program as in a clone. PORT sets the demo's port, and a free port replaces the port in the guide.
 */
async function run(
  steps: readonly Step[],
  folder: string,
  ports: { readonly demo: string; readonly guide: number },
): Promise<readonly string[]> {
  const commands = steps.map((step) => `echo '${MARK}'\n${step.commands}`).join('\n');
  for (const text of [GUIDE_PORT, GUIDE_RETRIES]) expect(commands).toContain(text);
  const patient = commands.replaceAll(GUIDE_PORT, String(ports.guide)).replaceAll(GUIDE_RETRIES, '--retry 600 ');
  // As in a terminal, each job has its own process group. If the guide fails halfway, its service must not keep running.
  const script = `set -m\ntrap 'kill -KILL %1 || true' EXIT\n${patient}\ntrap - EXIT`;
  const { PATH, HOME, TMPDIR } = process.env;
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH, HOME, TMPDIR, PORT: ports.demo },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(shell.stdout), text(shell.stderr)]);
  const [status] = await once(shell, 'exit');
  const [stdout, stderr] = await output;
  if (status !== 0) throw new Error(`The guide exited with ${status} after:\n${stdout.slice(-2000)}\n${stderr}`);
  return stdout.split(`${MARK}\n`).slice(1);
}

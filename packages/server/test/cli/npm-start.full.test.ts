// `npm start` in a project: stopping npm also stops the service gracefully.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { buildEnvironment, makeFolder } from '../support/galley-command.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/galley.js');

interface NpmStart extends AsyncDisposable {
  readonly npm: ChildProcess;
  readonly port: number;
  /** All log messages. Resolves once every process that could write to the log has exited. */
  readonly messages: Promise<readonly string[]>;
}

async function startWithNpm(): Promise<NpmStart> {
  const folder = await makeFolder();
  const scripts = { start: `"${process.execPath}" "${PROGRAM}" serve --port 0` };
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ private: true, scripts }));
  const npm = spawn('npm', ['start'], {
    cwd: folder.path,
    env: { ...buildEnvironment(), GALLEY_DEMO: 'false' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group, like the one that a terminal creates for each command.
    detached: true,
  });
  const { promise: listening, resolve } = Promise.withResolvers<number>();
  const messages: string[] = [];
  const lines = createInterface(npm.stdout).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const { msg, address } = JSON.parse(line);
    messages.push(msg);
    if (msg === 'listening') resolve(Number(new URL(address).port));
  });
  const closed = once(lines, 'close');
  return {
    npm,
    port: await listening,
    messages: closed.then(() => messages),
    async [Symbol.asyncDispose]() {
      try {
        process.kill(-(npm.pid ?? 0), 'SIGKILL');
      } catch {
        // All processes have already exited.
      }
      await closed;
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}

describe.concurrent('a service started by npm', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('stops when npm receives %s', async (signal) => {
    await using service = await startWithNpm();
    expect(await isListening(service.port)).toBe(true);
    service.npm.kill(signal);
    expect((await service.messages).slice(-2)).toEqual(['stopping', 'stopped']);
    expect(await isListening(service.port)).toBe(false);
  });

  test('stops gracefully, and only once, when Ctrl+C reaches npm, the shell and the service', async () => {
    await using service = await startWithNpm();
    process.kill(-(service.npm.pid ?? 0), 'SIGINT');
    const messages = await service.messages;
    expect(messages.slice(messages.indexOf('stopping'))).toEqual(['stopping', 'stopped']);
    expect(await isListening(service.port)).toBe(false);
  });
});

// Runs commands one after another, in a process that loads the program only once. galley-command.ts starts this process and sends it the
// commands.

import { Readable, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { CommandOutcome } from './galley-command.ts';

export interface HostedCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string | Uint8Array;
}

class Output extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

async function run({ args, cwd, env, input }: HostedCommand): Promise<CommandOutcome> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const stdout = new Output();
  const stderr = new Output();
  for (const [name, value] of Object.entries({ stdin: Readable.from([Buffer.from(input)]), stdout, stderr })) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  const status = await main(args);
  // Node.js reports warnings after the current step.
  await new Promise(setImmediate);
  return { status, stdout: stdout.text, stderr: stderr.text };
}

process.on('message', async (command: HostedCommand) => {
  const outcome = await run(command);
  process.send?.(outcome);
});
process.on('disconnect', () => process.exit());

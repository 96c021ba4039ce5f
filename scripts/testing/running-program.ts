// Runs programs as a person would: npm, npx, and the programs that they start.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Stops the program and everything it has started when this object goes out of scope. */
export interface RunningProgram extends AsyncDisposable {
  /** Waits for text in the output, whether it has already been printed or is printed later. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Asks the program and everything it has started to stop, as Ctrl+C does, and waits until they have stopped. */
  stop(signal?: NodeJS.Signals): Promise<ProgramOutcome>;
  /** Asks only the program to stop, and waits until everything it has started has also ended. */
  stopAlone(signal: NodeJS.Signals): Promise<ProgramOutcome>;
}

export async function runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramOutcome> {
  return collectOutcome(spawnProgram(words, options));
}

/** @throws an error with the program's whole output if it fails */
export async function runWithSuccess(words: readonly string[], options: ProgramOptions): Promise<string> {
  const { status, stdout, stderr } = await runProgram(words, options);
  if (status !== 0) throw new Error(`${words.join(' ')} exited with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

export function startProgram(words: readonly string[], options: ProgramOptions): RunningProgram {
  const child = spawnProgram(words, options);
  const outcome = collectOutcome(child);
  let printed = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: string) => {
      printed += text;
      for (const check of watchers) check();
    });
  }

  function waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const check = (): void => {
      const found = pattern.exec(printed);
      if (found === null) return;
      watchers.delete(check);
      resolve(found);
    };
    watchers.add(check);
    check();
    outcome.then(({ status }) => reject(new Error(`${words.join(' ')} exited with ${status}:\n${printed}`)), reject);
    return promise;
  }

  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<ProgramOutcome> {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // All the processes have ended.
    }
    return outcome;
  }

  return {
    waitFor,
    stop,
    stopAlone(signal) {
      child.kill(signal);
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

function spawnProgram([program = '', ...args]: readonly string[], { cwd, env = {} }: ProgramOptions) {
  // A separate process group, so that a signal reaches everything the program has started.
  const child = spawn(program, args, { cwd, env: { ...buildEnvironment(), ...env }, detached: true });
  child.stdin.end();
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  return child;
}

/**
 * Variables set by the npm script and the test runner must not count as settings. Colours are turned off, because many tools print colours
 * when they detect CI, and the output would no longer match.
 */
function buildEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string) =>
    /^(npm_(?!config_(cache|registry|userconfig|globalconfig)$)|GALLEY_|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|INIT_CWD$|PORT$|HOST$|DATABASE_URL$|CI$|FORCE_COLOR$)/i.test(
      name,
    );
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name))), NO_COLOR: '1' };
}

async function collectOutcome(child: ReturnType<typeof spawnProgram>): Promise<ProgramOutcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return { status: child.exitCode, stdout, stderr };
}

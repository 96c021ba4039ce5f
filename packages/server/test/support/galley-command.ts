// Runs the CLI as a person or a script would, in a separate process and folder.

import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { HostedCommand } from './command-host.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/galley.js');
/** Kept between runs, because a program that has already been compiled starts in half the time. */
const COMPILE_CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/galley-compile');

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

export interface ProgramOptions extends CommandOptions {
  /** Where a shell sends standard output, such as `1>/dev/full` or `| head -n 1`. */
  readonly redirection?: string;
}

export interface CommandOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LogLine {
  readonly msg: string;
  readonly [name: string]: unknown;
}

/** The server stops when this object goes out of scope, whether or not the test passed. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** The output before the `listening` line, without log lines. */
  readonly printed: string;
  /** All log lines so far. */
  readonly log: readonly LogLine[];
  /** The first matching line, whether it has already been logged or is logged later. */
  waitForLog(matches: (line: LogLine) => boolean): Promise<LogLine>;
  /** Stops reading the program's output, as if the program that reads the log had died. */
  closeOutput(): void;
  stop(signal?: NodeJS.Signals): Promise<CommandOutcome>;
}

/** A folder that is deleted when the returned object goes out of scope. */
export async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'galley-cli-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Runs a command. Starting the program takes much longer than most commands, so a single process per test worker runs these commands one
 * after another.
 */
export async function runGalley(
  args: readonly string[],
  { cwd, env, input = '' }: CommandOptions,
): Promise<CommandOutcome> {
  const outcome = lastOutcome.then(() => runInHost({ args, cwd, env: { ...buildEnvironment(), ...env }, input }));
  lastOutcome = outcome.catch(() => {});
  return refuseWarnings(await outcome);
}

interface Host {
  readonly child: ChildProcess;
  /** Rejects when the process ends. */
  readonly end: Promise<never>;
}

let host: Host | undefined;
let lastOutcome: Promise<unknown> = Promise.resolve();

async function runInHost(command: HostedCommand): Promise<CommandOutcome> {
  host = host?.child.connected ? host : startHost();
  const answer = once(host.child, 'message');
  host.child.send(command);
  const [outcome] = await Promise.race([answer, host.end]);
  return outcome;
}

/** It ends by itself when this process ends. */
function startHost(): Host {
  const child = fork(join(import.meta.dirname, 'command-host.ts'), {
    env: buildEnvironment(),
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
  });
  child.unref();
  child.channel?.unref();
  const end = once(child, 'exit').then(([status]) => {
    throw new Error(`The process that runs commands exited with ${status}.`);
  });
  end.catch(() => {});
  return { child, end };
}

/** Runs a command in its own process, as `bin/galley.js` does. */
export async function runProgram(args: readonly string[], options: ProgramOptions): Promise<CommandOutcome> {
  const child = spawnGalley(args, options);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return collectOutcome(child);
}

/** A running command, which is stopped when this object goes out of scope. */
export interface RunningCommand extends AsyncDisposable {
  stop(signal: NodeJS.Signals): Promise<CommandOutcome>;
}

export function startGalley(args: readonly string[], options: ProgramOptions): RunningCommand {
  const child = spawnGalley(args, options);
  return stopWithScope(child, collectOutcome(child));
}

function stopWithScope(child: ChildProcess, outcome: Promise<CommandOutcome>): RunningCommand {
  let isStopped = false;
  return {
    stop(signal) {
      isStopped = true;
      child.kill(signal);
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      // If the test has stopped the program itself, it knows whether that failed.
      await (isStopped ? outcome.catch(() => {}) : outcome);
    },
  };
}

/** Runs a command that must succeed, and parses the JSON it prints. */
export async function runForJson(args: readonly string[], options: CommandOptions): Promise<unknown> {
  const { status, stdout, stderr } = await runGalley([...args, '--json'], options);
  if (status !== 0) throw new Error(`galley ${args.join(' ')} exited with status ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Starts `galley serve` on a free port and waits until it is listening. */
export async function startServer(options: CommandOptions, args: readonly string[] = []): Promise<RunningServer> {
  const child = spawnGalley(['serve', '--port', '0', ...args], options);
  const outcome = collectOutcome(child);
  const running = stopWithScope(child, outcome);
  const log: LogLine[] = [];
  const printed: string[] = [];
  const watchers = new Set<() => void>();
  createInterface(child.stdout).on('line', (text) => {
    const line = parseLogLine(text);
    if (line === undefined) printed.push(text);
    else log.push(line);
    for (const check of watchers) check();
  });

  function waitForLog(matches: (line: LogLine) => boolean): Promise<LogLine> {
    const { promise, resolve, reject } = Promise.withResolvers<LogLine>();
    const check = (): void => {
      const found = log.find(matches);
      if (found === undefined) return;
      watchers.delete(check);
      resolve(found);
    };
    watchers.add(check);
    check();
    outcome.then(({ status, stderr }) => reject(new Error(`The server exited with ${status}: ${stderr}`)), reject);
    return promise;
  }

  const { address } = await waitForLog((line) => line.msg === 'listening');
  return {
    url: String(address),
    pid: child.pid ?? 0,
    printed: printed.join('\n'),
    log,
    waitForLog,
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    stop: (signal = 'SIGTERM') => running.stop(signal),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Omits all other variables of the test run, so none of them is used as a setting. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

function spawnGalley(
  args: readonly string[],
  { cwd, env, redirection }: ProgramOptions,
): ChildProcessWithoutNullStreams {
  const options = { cwd, env: { ...buildEnvironment(), ...env } };
  if (redirection === undefined) return spawn(process.execPath, [PROGRAM, ...args], options);
  const script = `exec "$@" ${redirection}`;
  return spawn('bash', ['-o', 'pipefail', '-c', script, 'bash', process.execPath, PROGRAM, ...args], options);
}

async function collectOutcome(child: ChildProcessWithoutNullStreams): Promise<CommandOutcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return refuseWarnings({ status: child.exitCode, stdout, stderr });
}

/** A warning of Node.js fails the test: it reports a leak, or an API that is about to change. */
function refuseWarnings(outcome: CommandOutcome): CommandOutcome {
  const [warning] = /^\(node:\d+\) (?!ExperimentalWarning).*Warning: .*$/m.exec(outcome.stderr) ?? [];
  if (warning !== undefined) throw new Error(`The program printed a Node.js warning: ${warning}`);
  return outcome;
}

function parseLogLine(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  const line: unknown = JSON.parse(text);
  return isLogLine(line) ? line : undefined;
}

function isLogLine(value: unknown): value is LogLine {
  return typeof value === 'object' && value !== null && 'msg' in value && typeof value.msg === 'string';
}

// Generates load with wrk, which leaves more of the machine to the server than a tool that runs on Node.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from '../scratch.ts';
import { DisturbedLoad, type Load, type LoadFigures, type LoadTarget } from './load.ts';

const PROGRAM = 'wrk';
/** On a busy machine, a server may stall for a while. That makes a round slow but is not an error. */
const PATIENCE = '20s';
const SCRIPT = join(import.meta.dirname, 'wrk-requests.lua');

/** Undefined if wrk is not installed. */
export function findWrkVersion(): string | undefined {
  // wrk prints its version, then fails because the URL is missing.
  const { stdout } = spawnSync(PROGRAM, ['-v'], { encoding: 'utf8' });
  return /^wrk \S+/.exec(stdout ?? '')?.[0];
}

export function createWrkLoad(scratch: Scratch, connections: number, version: string): Load {
  const pathsFile = join(scratch.folder, 'paths.txt');
  const tailFile = join(scratch.folder, 'request-tail.txt');
  let loads = 0;

  async function run({ origin, paths, isNumbered, headers }: LoadTarget, seconds: number): Promise<LoadFigures> {
    loads += 1;
    writeFileSync(pathsFile, paths.map((path) => `${path}\n`).join(''));
    const lines = Object.entries({ host: new URL(origin).host, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    writeFileSync(tailFile, ` HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', PATIENCE, '-s', SCRIPT];
    const child = scratch.adopt(
      spawn(PROGRAM, [...options, origin, '--', pathsFile, tailFile, isNumbered ? String(loads) : 'as-is'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
    }
    await once(child, 'close');
    return parseWrkOutput(output.join(''));
  }

  return { tool: version, run };
}

interface WrkSummary {
  readonly requests: number;
  readonly microseconds: number;
  readonly p50: number;
  readonly p99: number;
  /** The number of errors of each kind. */
  readonly errors: Readonly<Record<string, number>>;
}

export function parseWrkOutput(output: string): LoadFigures {
  const line = /^\{.*\}$/m.exec(output)?.[0];
  if (line === undefined) throw new Error(`wrk printed no results: ${output.trim()}`);
  const { requests, microseconds, errors, p50, p99 } = asSummary(JSON.parse(line));
  const met = Object.entries(errors).filter(([, count]) => count > 0);
  if (met.length > 0 || requests === 0) {
    const list = met.map(([kind, count]) => `${kind} ${count}`).join(', ');
    const message = `wrk reported errors in ${requests} requests: ${list}`;
    throw errors.status === 0 ? new DisturbedLoad(message) : new Error(message);
  }
  return { requests, seconds: microseconds / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
}

/** The summary that wrk-requests.lua prints. */
function asSummary(value: unknown): WrkSummary {
  return value as WrkSummary;
}

// The resources that a run must clean up: a folder, and the processes it started.

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), 'galley-bench-'));
  readonly #children = new Set<ChildProcess>();
  readonly #endings: (() => void)[] = [];

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        this.close();
        process.exit(128 + constants.signals[signal]);
      });
    }
  }

  /** The process is stopped at the end of the run if it is still running. */
  adopt<Child extends ChildProcess>(child: Child): Child {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** @param end synchronously stops something that is not a child process */
  whenClosed(end: () => void): void {
    this.#endings.push(end);
  }

  /** Synchronous, so that it also works in a signal handler. */
  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    this.#children.clear();
    for (const end of this.#endings) end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

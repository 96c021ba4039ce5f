// Where and with what a run was made: without it a figure says nothing.

import { arch, cpus, loadavg, release, totalmem, type, version } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_mb: number;
  readonly os: string;
  readonly arch: string;
  /** Of the last minute before the run: what else the machine was doing. */
  readonly load_before: number;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memory_mb: Math.round(totalmem() / 1024 / 1024),
    os: `${type()} ${release()} (${version()})`,
    arch: arch(),
    load_before: loadavg()[0] ?? 0,
  };
}

// The CPU time and memory that a process uses, as reported by Linux. There are no figures on other systems.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** The CPU time of all threads together, in user and system mode. */
  readonly cpuSeconds: number;
  readonly residentMb: number;
  readonly peakResidentMb: number;
  /** The process's own memory, excluding mapped file pages, which the system can reclaim. */
  readonly anonymousMb: number;
}

const ticksPerSecond = readTicksPerSecond();

export function readUsage(pid: number | undefined): ProcessUsage | undefined {
  if (pid === undefined || ticksPerSecond === undefined) return undefined;
  try {
    return parseUsage(
      readFileSync(`/proc/${pid}/stat`, 'utf8'),
      readFileSync(`/proc/${pid}/status`, 'utf8'),
      ticksPerSecond,
    );
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** @param stat, status the contents of the files with these names in a folder under /proc */
export function parseUsage(stat: string, status: string, ticks: number): ProcessUsage {
  // The name in parentheses may contain spaces. User and system time are the 12th and 13th values after it.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return {
    cpuSeconds: (Number(values[11]) + Number(values[12])) / ticks,
    residentMb: megabytes('VmRSS'),
    peakResidentMb: megabytes('VmHWM'),
    anonymousMb: megabytes('RssAnon'),
  };
}

function readTicksPerSecond(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  } catch {
    return 100;
  }
}

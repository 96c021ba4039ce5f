// The memory usage of a process.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export function readResidentMb(pid: number): number {
  const path = `/proc/${pid}/status`;
  const kilobytes = existsSync(path)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Math.round(Number(kilobytes) / 1024);
}

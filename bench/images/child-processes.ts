import { readdirSync, readFileSync } from 'node:fs';

/** The child processes of a process, as reported by Linux. */
export function readChildren(pid: number | undefined): readonly number[] {
  if (pid === undefined) return [];
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // The process has ended, or this is not Linux.
    return [];
  }
}

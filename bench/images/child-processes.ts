import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a process has started, as Linux reports them. */
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

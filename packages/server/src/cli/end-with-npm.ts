// `npm start` runs a shell that runs the service. Someone who stops npm wants to stop the service, but npm signals only the shell, which
// exits without forwarding the signal. If npm is killed, it sends no signal at all. So the service stops when npm or the shell has
// exited. It ignores all other parents: a terminal, nohup, a supervisor, or a script that starts it in the background.

import { readFileSync } from 'node:fs';

const WORD = String.raw`["']?[^\s"'&|;<>()\`$]*`;
const PLAIN_CALL = new RegExp(
  String.raw`^(?:\w+=[\w./:-]*\s+)*(?:exec\s+)?(?:${WORD}\bnode["']?\s+)?${WORD}\bgalley(?:\.js)?["']?(?:\s[^&|;<>()\`$]*)?$`,
);
const LOOK_EVERY_MS = 500;

export function endWithNpm(): void {
  const script = process.env.npm_lifecycle_script;
  if (script === undefined || !isPlainCall(script)) return;
  const parent = process.ppid;
  const npm = findParentOfShell(parent, script);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS).unref();
  // Do not send the signal again once the service is stopping.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => clearInterval(timer));
}

/**
 * Whether a script does nothing but call this program. If so, its shell waits for the program, and only a signal can end the shell
 * earlier.
 */
export function isPlainCall(script: string): boolean {
  return PLAIN_CALL.test(script);
}

/** Undefined if there is no shell between npm and this process, or if the operating system does not provide this information. */
function findParentOfShell(pid: number, script: string): number | undefined {
  try {
    const isShell = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[2]?.startsWith(script) === true;
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return isShell && parent !== undefined ? Number(parent) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process that belongs to another user cannot be signalled, but it is alive.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

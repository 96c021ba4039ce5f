// `npm start` runs a shell that runs the service. Whoever ends npm means the service, but npm tells only the shell, which
// ends without a word, and tells nobody when it is killed. So a service whose npm or shell is gone stops by itself.
// Everything else (a terminal, nohup, a supervisor, a script that starts the service in the background) is left alone.

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
  // Whoever stops is not told again.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => clearInterval(timer));
}

/** One call of this program and nothing around it: the shell waits for its end, so only a signal ends the shell before. */
export function isPlainCall(script: string): boolean {
  return PLAIN_CALL.test(script);
}

/** Undefined where there is no shell between npm and us, or where the system does not tell. */
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
    // Somebody else's process is one that lives.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

// The result of one check: a line that describes the state, and advice if something is wrong.

export type CheckStatus = 'ok' | 'warning' | 'problem';

export const CHECK_GROUPS = ['Settings', 'Environment', 'Database', 'Content', 'Files'] as const;

export interface Check {
  readonly group: (typeof CHECK_GROUPS)[number];
  readonly name: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
}

export type CheckParts = Omit<Check, 'group' | 'name'>;

export function ok(message: string): CheckParts {
  return { status: 'ok', message, advice: null };
}

export function warn(message: string, advice: string): CheckParts {
  return { status: 'warning', message, advice };
}

export function problem(message: string, advice: string): CheckParts {
  return { status: 'problem', message, advice };
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size, such as `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  let amount = bytes / 1000;
  let index = 0;
  while (amount >= 999.5 && index < UNITS.length - 1) {
    amount /= 1000;
    index += 1;
  }
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[index]}`;
}

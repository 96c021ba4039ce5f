const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A size to be read at a glance, like `12.3 MB`. */
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

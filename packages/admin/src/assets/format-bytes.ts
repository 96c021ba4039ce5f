const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;

/** A size in bytes, such as `12 kB`. */
export function formatBytes(size: number): string {
  const power = Math.min(UNITS.length - 1, size < STEP ? 0 : Math.floor(Math.log10(size) / 3));
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(size / STEP ** power);
}

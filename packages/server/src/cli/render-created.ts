import type { Paint } from './paint.ts';

export interface Created {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** Lines of advice. */
  readonly advice: readonly string[];
}

/** What a command tells a person about something that it has just made. */
export function renderCreated({ title, rows, advice }: Created, paint: Paint): string {
  return [
    '',
    `  ${paint('title', title)}`,
    '',
    ...rows.map(([label, value]) => `  ${paint('dim', label.padEnd(9))} ${value}`),
    '',
    ...advice.map((line) => `  ${line}`),
    ...(advice.length === 0 ? [] : ['']),
    '',
  ].join('\n');
}

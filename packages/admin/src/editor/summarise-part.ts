import { isRecord } from './fields/field-values.ts';

/** A value as lines of text, to be compared by eye with another one. HTML stays text. */
export function summarisePart(value: unknown): string {
  return listLines(value).join('\n');
}

function listLines(value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((item) => markFirst(listLines(item)));
  if (!isRecord(value)) return [String(value)];
  return Object.values(value).flatMap(listLines);
}

function markFirst([first, ...others]: readonly string[]): readonly string[] {
  return first === undefined ? [] : [`• ${first}`, ...others.map((line) => `  ${line}`)];
}

import { isRecord } from './is-record.ts';
import { removeMarks } from './remove-marks.ts';

/**
 * Removes the invisible marks from a string, or from all strings in an array or object. Use it where code compares, measures or sends text
 * from a preview: `switch`, `===`, sorting, lengths, URLs, `<meta>` tags, structured data, form values.
 *
 * Returns the same value if it contains no marks. Never changes its argument.
 *
 * @example
 * if (stegaClean(article.name) === 'About us') console.log('This is the about page.');
 */
export function stegaClean<T>(value: T): T;
export function stegaClean(value: unknown): unknown {
  if (typeof value === 'string') return removeMarks(value);
  if (Array.isArray(value)) {
    const items = value.map(stegaClean);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, stegaClean(member)] as const);
  return entries.some(([key, member]) => member !== value[key]) ? Object.fromEntries(entries) : value;
}

/** Excludes dates, maps and other objects whose values are not in their properties. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A text of the address's query; undefined where there is none. The router reads digits as a number. */
export function readSearchText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

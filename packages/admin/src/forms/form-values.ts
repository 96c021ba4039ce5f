// Converts form inputs to the values to send: parses numbers, and picks only the values that were changed.

/** The value of a number input: a number, or text such as `10.`, `1.50` or `-` while somebody is typing. */
export type NumberText = number | string;

/** Undefined if the text is not a number. */
export function parseNumber(text: NumberText): number | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The values that were changed. The others are not sent, so changes made elsewhere in the meantime are kept. */
export function pickChanged<Values extends object>(values: Values, initial: Values): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) {
    if (JSON.stringify(values[name]) !== JSON.stringify(initial[name])) picked[name] = values[name];
  }
  return picked;
}

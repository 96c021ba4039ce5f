// From what the inputs of a form hold to what is sent: numbers, and only the values that were changed.

/** What a number input holds: a number, or text while somebody types, like `10.`, `1.50` or `-`. */
export type NumberText = number | string;

/** Undefined if the text is not a number. */
export function parseNumber(text: NumberText): number | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The values that were changed. The others are not sent, so that changes made elsewhere in the meantime are kept. */
export function pickChanged<Values extends object>(values: Values, initial: Values): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) {
    if (JSON.stringify(values[name]) !== JSON.stringify(initial[name])) picked[name] = values[name];
  }
  return picked;
}

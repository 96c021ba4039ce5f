/** What a number input holds: a number, or text where that says more, like `10.` or `1.50`, or no number yet, like `-`. */
export type NumberText = number | string;

/** The number that is meant; undefined where there is none. */
export function parseNumber(text: NumberText): number | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

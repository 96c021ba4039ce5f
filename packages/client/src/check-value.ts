// Rejects invalid arguments. Messages never repeat the given value, because it may be a key.

export function checkValue(name: string, isRight: boolean, needed: string): asserts isRight {
  if (!isRight) throw new TypeError(`${name} must be ${needed}.`);
}

/** Text with half a surrogate pair is invalid, because a URL cannot contain it. */
export function checkText(name: string, value: unknown): asserts value is string {
  checkValue(name, typeof value === 'string' && /^\P{Cs}+$/u.test(value), 'non-empty text');
}

/** Anything that can have members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object(value) === value;
}

/** A plain object, from any realm. Dates, sets and the like are not plain. */
export function checkPlain(name: string, value: unknown): asserts value is object {
  const prototype: unknown = Object.getPrototypeOf(value);
  checkValue(name, !prototype || !Object.getPrototypeOf(prototype), 'plain data');
}

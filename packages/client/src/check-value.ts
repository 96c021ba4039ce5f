// Arguments that cannot be right are refused. What was given is not repeated: it may be a key.

export function checkValue(name: string, isRight: boolean, needed: string): asserts isRight {
  if (!isRight) throw new TypeError(`${name} must be ${needed}.`);
}

/** Half a surrogate pair is no text: it could not be written into an address. */
export function checkText(name: string, value: unknown): asserts value is string {
  checkValue(name, typeof value === 'string' && /^\P{Cs}+$/u.test(value), 'text, and not empty');
}

/** Anything that can have members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object(value) === value;
}

/** What an object literal makes, in whatever realm. Dates, sets and their like hide what they hold. */
export function checkPlain(name: string, value: unknown): asserts value is object {
  const prototype: unknown = Object.getPrototypeOf(value);
  checkValue(name, !prototype || !Object.getPrototypeOf(prototype), 'plain data');
}

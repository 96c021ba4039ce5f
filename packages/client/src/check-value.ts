// Rejects invalid arguments. Messages never repeat the given value, because it may be a key.

export function checkValue(name: string, isRight: boolean, needed: string): asserts isRight {
  if (!isRight) throw new TypeError(`${name} must be ${needed}.`);
}

/** Rejects text with an unpaired surrogate, which a URL cannot contain. */
export function checkText(name: string, value: unknown): asserts value is string {
  checkValue(name, typeof value === 'string' && /^\P{Cs}+$/u.test(value), 'non-empty text');
}

/** Whether the value is an object (including arrays) or a function. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object(value) === value;
}

/** Accepts plain objects from any realm, but not dates, sets or similar objects. */
export function checkPlain(name: string, value: unknown): asserts value is object {
  const prototype: unknown = Object.getPrototypeOf(value);
  checkValue(name, !prototype || !Object.getPrototypeOf(prototype), 'plain data');
}

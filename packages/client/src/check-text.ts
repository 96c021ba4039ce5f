// Arguments that must be texts. What was given is not repeated: it may be a key.

export function checkText(name: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '') return;
  throw new TypeError(`${name} is ${value === '' ? 'empty' : typeof value}; a string that is not empty is needed.`);
}

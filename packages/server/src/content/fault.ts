// What is wrong with a given value, and where. A message reads on from its path: `fields.rank.number` and
// `must be a finite number, got "3"` make one sentence.

export interface Fault {
  readonly path: string;
  readonly message: string;
}

const SHOWN_CHARACTERS = 60;
const LISTED_NAMES = 20;
const PLAIN_MEMBER = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** @param rule what is allowed, like `must be a number`. */
export function buildFault(path: string, rule: string, given: unknown): Fault {
  return { path, message: `${rule}${rule.includes(', ') ? ';' : ','} got ${showGiven(given)}` };
}

/** One by one, because the runtime does not accept a hundred thousand arguments. */
export function addFaults(faults: Fault[], more: Iterable<Fault>): void {
  for (const fault of more) faults.push(fault);
}

export function formatFault(fault: Fault): string {
  return fault.path === '' ? fault.message : `${fault.path} ${fault.message}`;
}

export function joinMember(path: string, name: string): string {
  if (!PLAIN_MEMBER.test(name)) return `${path}[${showGiven(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** A given value in few characters. Objects and arrays are only named, however large they are. */
export function showGiven(given: unknown): string {
  if (given === undefined) return 'nothing';
  if (typeof given === 'string') return showText(given);
  if (Array.isArray(given)) return 'an array';
  if (typeof given === 'object' && given !== null) return 'an object';
  return String(given);
}

function showText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return JSON.stringify(text);
  const start = text.slice(0, SHOWN_CHARACTERS);
  // A cut through a surrogate pair would show half a character.
  const isWhole = start.isWellFormed() || !text.slice(0, SHOWN_CHARACTERS + 1).isWellFormed();
  return JSON.stringify(`${isWhole ? start : start.slice(0, -1)}…`);
}

export function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  if (names.length <= LISTED_NAMES) return names.join(', ');
  return `${names.slice(0, LISTED_NAMES).join(', ')} and ${names.length - LISTED_NAMES} more`;
}

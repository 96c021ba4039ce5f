// An error in a given value, and its path. The path and the message form one sentence, such as `fields.rank.number` followed by
// `must be a finite number, got "3"`.

/** The kinds of faults, for use by programs. `invalid` is the default: in that case, only the message says what is wrong. */
export const FAULT_CODES = [
  'invalid',
  'required',
  'unknown',
  'not_found',
  'not_allowed',
  'duplicate',
  'fixed',
  'taken',
  'url_taken',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'values_missing',
  'in_past',
  'in_future',
  'before_publish',
  'slug_invalid',
  'handle_invalid',
  'url_invalid',
  'email_invalid',
  'password_invalid',
  'password_wrong',
  'description_missing',
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

export interface Fault {
  readonly path: string;
  readonly message: string;
  readonly code?: FaultCode | undefined;
  /** The details for the code, such as a limit or the name of other content. */
  readonly values?: Readonly<Record<string, string | number>> | undefined;
}

const SHOWN_CHARACTERS = 60;
const LISTED_NAMES = 20;
const PLAIN_MEMBER = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * @param rule what is allowed, such as `must be a number`
 * @param more the code and the values; for a missing or blank value, the code is `required` instead
 */
export function buildFault(
  path: string,
  rule: string,
  given: unknown,
  more: Pick<Fault, 'code' | 'values'> = {},
): Fault {
  const message = `${rule}${rule.includes(', ') ? ';' : ','} got ${showGiven(given)}`;
  return { path, message, ...(isBlank(given) ? { code: 'required' } : more) };
}

function isBlank(given: unknown): boolean {
  return given === undefined || given === null || (typeof given === 'string' && given.trim() === '');
}

/** Adds the faults one by one, because a hundred thousand arguments are too many for a single call to `push`. */
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

/** Shows a given value in a few characters. For objects and arrays, only the kind is shown. */
export function showGiven(given: unknown): string {
  if (given === undefined) return 'nothing';
  if (typeof given === 'string') return showText(given);
  if (Array.isArray(given)) return 'an array';
  if (typeof given === 'object' && given !== null) return 'an object';
  return String(given);
}

function showText(text: string): string {
  return JSON.stringify(shortenText(text));
}

function shortenText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const start = text.slice(0, SHOWN_CHARACTERS);
  // Avoids cutting a surrogate pair in half.
  const isWhole = start.isWellFormed() || !text.slice(0, SHOWN_CHARACTERS + 1).isWellFormed();
  return `${isWhole ? start : start.slice(0, -1)}…`;
}

/** The code and the offending value, shortened, for a fault caused by a value that is not allowed. */
export function notAllowed(given: unknown): Required<Pick<Fault, 'code' | 'values'>> {
  return { code: 'not_allowed', values: { value: typeof given === 'string' ? shortenText(given) : showGiven(given) } };
}

export function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  if (names.length <= LISTED_NAMES) return names.join(', ');
  return `${names.slice(0, LISTED_NAMES).join(', ')} and ${names.length - LISTED_NAMES} more`;
}

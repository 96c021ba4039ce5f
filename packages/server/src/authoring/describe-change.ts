// What the audit log tells of a change to something with several members: those that differ, as they were and as they are.

/** A `data:` address may be a whole picture; the log needs to tell addresses apart, not to keep them. */
const MOST_CHARACTERS = 500;

type Members = Readonly<Record<string, unknown>>;

export interface DescribedChange extends Readonly<Record<string, unknown>> {
  readonly before: Members;
  readonly after: Members;
}

export function describeChange<Name extends string>(
  before: Readonly<Record<Name, unknown>>,
  after: Readonly<Record<NoInfer<Name>, unknown>>,
): DescribedChange {
  const then: Members = before;
  const now: Members = after;
  const changed = Object.keys(then).filter((name) => JSON.stringify(then[name]) !== JSON.stringify(now[name]));
  const pick = (members: Members): Members =>
    Object.fromEntries(changed.map((name) => [name, shorten(members[name])] as const));
  return { before: pick(before), after: pick(after) };
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MOST_CHARACTERS) return value;
  return `${value.slice(0, MOST_CHARACTERS)}… (${value.length} characters)`;
}

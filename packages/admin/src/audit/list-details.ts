// The details of an entry, one by one. What was changed stands under `before` and `after`, by its members.

export interface Detail {
  readonly name: string;
  /** Undefined where the detail tells of no change. */
  readonly before: { readonly value: unknown } | undefined;
  readonly after: unknown;
}

type Members = Readonly<Record<string, unknown>>;

export function listDetails(details: Members): readonly Detail[] {
  const { before, after, ...rest } = details;
  if (!isMembers(before) || !isMembers(after)) return listMembers(details);
  const changes = Object.keys(after).map((name) => ({ name, before: { value: before[name] }, after: after[name] }));
  return [...listMembers(rest), ...changes];
}

function listMembers(members: Members): readonly Detail[] {
  return Object.entries(members).map(([name, after]) => ({ name, before: undefined, after }));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Keeps the values of open forms after the session has ended, until the same person signs in again. They are kept only in memory,
// so they are lost when the tab is closed. Passwords are not kept.

interface OpenForm {
  readonly place: string;
  readonly values: object;
}

const open = new Set<() => OpenForm>();
const kept = new Map<string, object>();
let owner: string | undefined;
/** True until somebody signs in again. Pages that render before the sign-in page opens must not take the kept values. */
let isAway = false;

/** @param read returns the current values */
export function registerOpenForm(read: () => OpenForm): () => void {
  open.add(read);
  return () => open.delete(read);
}

/** @param user the person whose session has ended */
export function keepOpenForms(user: string): void {
  owner = user;
  isAway = true;
  for (const read of open) {
    const { place, values } = read();
    if (!Object.keys(values).some((name) => name.includes('password'))) kept.set(place, values);
  }
}

/** @param user the person who has signed in. Nobody else sees the values */
export function bringFormsBack(user: string | undefined): void {
  if (user !== owner) kept.clear();
  isAway = false;
}

/** The kept values of a form. They are not removed, because a page may render more than once before it is shown. */
export function readKeptForm<Values extends object>(place: string, initial: Values): Values | undefined {
  if (isAway) return undefined;
  const values = kept.get(place);
  return values !== undefined && hasMembersOf(initial, values) ? values : undefined;
}

/** Called once the form is shown again with its values. */
export function dropKeptForm(place: string): void {
  if (!isAway) kept.delete(place);
}

/** If the properties match, the values are for the same form. */
function hasMembersOf<Values extends object>(initial: Values, values: object): values is Values {
  const names = Object.keys(initial);
  return names.length === Object.keys(values).length && names.every((name) => Object.hasOwn(values, name));
}

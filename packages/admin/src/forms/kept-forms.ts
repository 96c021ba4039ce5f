// What was in the open forms when the session ended, until the same person signs in again. It is kept in memory only, and
// is lost with the tab. Passwords are not kept.

interface OpenForm {
  readonly place: string;
  readonly values: object;
}

const open = new Set<() => OpenForm>();
const kept = new Map<string, object>();
let owner: string | undefined;
/** Pages may still render on the way to the sign-in page: they get nothing. */
let isAway = false;

/** @param read returns the current values */
export function registerOpenForm(read: () => OpenForm): () => void {
  open.add(read);
  return () => open.delete(read);
}

/** @param user whose session has ended */
export function keepOpenForms(user: string): void {
  owner = user;
  isAway = true;
  for (const read of open) {
    const { place, values } = read();
    if (!Object.keys(values).some((name) => name.includes('password'))) kept.set(place, values);
  }
}

/** @param user who has signed in: nobody else sees the values */
export function bringFormsBack(user: string | undefined): void {
  if (user !== owner) kept.clear();
  isAway = false;
}

/** The values of the form at this place. They stay, since a page may render more than once before it is shown. */
export function readKeptForm<Values extends object>(place: string, initial: Values): Values | undefined {
  if (isAway) return undefined;
  const values = kept.get(place);
  return values !== undefined && hasMembersOf(initial, values) ? values : undefined;
}

/** The form is shown again with its values. */
export function dropKeptForm(place: string): void {
  if (!isAway) kept.delete(place);
}

/** A place has one kind of form, so its values have the same members. */
function hasMembersOf<Values extends object>(initial: Values, values: object): values is Values {
  const names = Object.keys(initial);
  return names.length === Object.keys(values).length && names.every((name) => Object.hasOwn(values, name));
}

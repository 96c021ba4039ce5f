// JSON as shown in the documentation: a `"…"` property stands for omitted properties, a `"…"` item for omitted items, and text that
// ends in `…` for text that starts the same way.

const GAP = '…';

type Members = Readonly<Record<string, unknown>>;

/** Where and how the actual value differs from the one shown; undefined if it matches. */
export function findDifference(shown: unknown, real: unknown, path = 'body'): string | undefined {
  if (Array.isArray(shown) && Array.isArray(real)) return findItemDifference(shown, real, path);
  if (isMembers(shown) && isMembers(real)) return findMemberDifference(shown, real, path);
  if (typeof shown === 'string' && typeof real === 'string' && shown.endsWith(GAP)) {
    if (real.startsWith(shown.slice(0, -GAP.length)) && real.length >= shown.length) return undefined;
  }
  return Object.is(shown, real)
    ? undefined
    : `${path}: the value shown is ${JSON.stringify(shown)}, not ${JSON.stringify(real)}`;
}

function findItemDifference(shown: readonly unknown[], real: readonly unknown[], path: string): string | undefined {
  const isOpen = shown.at(-1) === GAP;
  const items = isOpen ? shown.slice(0, -1) : shown;
  if (isOpen ? real.length <= items.length : real.length !== items.length) {
    return `${path}: the number of items shown is ${isOpen ? 'more than ' : ''}${items.length}, not ${real.length}`;
  }
  return firstOf(items.map((item, index) => findDifference(item, real[index], `${path}[${index}]`)));
}

function findMemberDifference(shown: Members, real: Members, path: string): string | undefined {
  const names = Object.keys(shown).filter((name) => name !== GAP);
  const realNames = Object.keys(real);
  const kept = GAP in shown ? realNames.filter((name) => names.includes(name)) : realNames;
  if (names.join() !== kept.join()) return `${path}: the properties shown are ${names.join()}, not ${kept.join()}`;
  if (GAP in shown && realNames.length === names.length) return `${path}: nothing was omitted`;
  return firstOf(names.map((name) => findDifference(shown[name], real[name], `${path}.${name}`)));
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

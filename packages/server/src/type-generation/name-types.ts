// The names of generated types: handles in PascalCase, each its own, none of them a name that the file needs itself.

/** Names that the generated file declares or means something else by. */
const RESERVED: readonly string[] = [
  'ContentTypes',
  'BlockTypes',
  'PreviewTypes',
  'AnyContent',
  'AnyLinked',
  'AnyBlock',
  'OfType',
  'Site',
  'Extract',
  'In',
];
/** What all sites have in common begins with this. */
const COMMON_NAME = /^Galley(?:[A-Z]|$)/;

/** @param handles in the order in which they take their names; the first of those that would be alike gets the plain one */
export function nameTypes(handles: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(RESERVED);
  for (const handle of handles) {
    const words = handle.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    let name = words.join('');
    if (isTaken(name, taken)) name = words.join('_');
    while (isTaken(name, taken)) name += '_';
    taken.add(name);
    names.set(handle, name);
  }
  return names;
}

function isTaken(name: string, taken: ReadonlySet<string>): boolean {
  return taken.has(name) || COMMON_NAME.test(name);
}

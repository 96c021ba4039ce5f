import { refuseFaults } from '../authoring/authoring-refusal.ts';

/** The parameters of a query string, each of them once. */
export function parseQuery(text: string): Readonly<Record<string, string>> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (query.has(name)) throw refuseFaults([{ path: `query.${name}`, message: 'must not be given twice' }]);
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

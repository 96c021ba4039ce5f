import { refuseFaults } from '../authoring/authoring-refusal.ts';
import { type Fault, joinMember } from '../content/fault.ts';
import { isPlainText, PLAIN_TEXT_RULE } from '../content/plain-text.ts';

/** The parameters of a query string, each of them once. */
export function parseQuery(text: string): Readonly<Record<string, string>> {
  const query = new Map<string, string>();
  const faults = new Map<string, Fault>();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = joinMember('query', name);
    if (query.has(name)) faults.set(path, { path, message: 'must not be given twice' });
    else if (!isPlainText(value)) faults.set(path, { path, message: `must be ${PLAIN_TEXT_RULE}` });
    query.set(name, value);
  }
  if (faults.size > 0) throw refuseFaults([...faults.values()]);
  return Object.fromEntries(query);
}

import { isPlainText } from '../content/plain-text.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';

/** The parts of the path that a route names. What no database could hold names nothing that is there. */
export function readPath(params: unknown): Readonly<Record<string, string>> {
  const path: [string, string][] = [];
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value !== 'string' || !isPlainText(value)) throw new ProblemError(PROBLEMS.notFound);
    path.push([name, value]);
  }
  return Object.fromEntries(path);
}

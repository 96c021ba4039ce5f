import type { EditTarget } from './find-targets.ts';
import type { Mark } from './mark.ts';

/** The targets that show a field: its own; if there are none, those of its parts; otherwise those of the fields around it. */
export function selectTargets(targets: readonly EditTarget[], { id, path }: Mark): readonly EditTarget[] {
  const own = targets.filter(({ mark }) => mark.id === id);
  const exact = own.filter(({ mark }) => mark.path === path);
  if (exact.length > 0) return exact;
  const parts = own.filter(({ mark }) => isPart(mark.path, path));
  return parts.length > 0 ? parts : own.filter(({ mark }) => isPart(path, mark.path));
}

function isPart(path: string, whole: string): boolean {
  return path.startsWith(whole) && /^[.[]/.test(path.slice(whole.length));
}

// Lists the elements and attributes that the service removed from texts: `<iframe>`, `style`.

import type { SanitisedText } from './draft/draft-state.ts';
import { listHtmlParts } from './fields/parse-html.ts';

export interface RemovedParts {
  readonly path: string;
  readonly removed: readonly string[];
}

/** Leaves out texts from which nothing was removed. */
export function listRemoved(texts: readonly SanitisedText[]): readonly RemovedParts[] {
  return texts
    .map(({ path, sent, stored }) => {
      const kept = listHtmlParts(stored);
      const removed = [...listHtmlParts(sent)].filter(([part, count]) => count > (kept.get(part) ?? 0));
      return { path, removed: removed.map(([part]) => part) };
    })
    .filter(({ removed }) => removed.length > 0);
}

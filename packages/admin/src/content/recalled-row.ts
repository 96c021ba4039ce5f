// Which object was opened last from a site's list: whoever comes back goes on from there.

import type { ContentSummaryBody } from '@galley/wire';

const opened = new Map<string, string>();

export function keepOpenedRow(site: string, id: string): void {
  opened.set(site, id);
}

/** Where it stands in the list; -1 where it does not. */
export function recallRow(site: string, rows: readonly ContentSummaryBody[]): number {
  const id = opened.get(site);
  return id === undefined ? -1 : rows.findIndex((row) => row.id === id);
}

// The values of a list's filters, under the names that its conditions have for them.

import { buildTextDigest } from '../../content/body.ts';
import { buildTextKey } from '../../content/text-key.ts';
import type { SqlValue } from '../statement.ts';
import type { PlannedFilters } from './planned-filters.ts';

/** What differs between two requests of the same shape. */
export function bindFilters(filters: PlannedFilters): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  const bind = (name: string, list: readonly SqlValue[]): void => {
    for (const [index, value] of list.entries()) values[`${name}${index}`] = value;
  };
  bind('slug', filters.slugs ?? []);
  bind('author', filters.authorIds ?? []);
  for (const [index, filter] of filters.fields.entries()) {
    if (filter.kind === 'unmarked-off') continue;
    if (filter.kind !== 'text') {
      bind(`field${index}_`, filter.values);
      continue;
    }
    bind(`field${index}_key`, filter.values.map(buildTextKey));
    bind(`field${index}_digest`, filter.values.map(buildTextDigest));
  }
  return values;
}

// The rows of the table: the names that `--only` accepts, and what each one measures.

export const ROWS = {
  repeated: 'repeated object and list, against the bare server',
  unchanged: '304 for an unchanged list, compared with the full response',
  latency: 'p99 of repeated requests at half the maximum rate, against the bare server',
  object: 'first-time object by id',
  list: 'first-time list, newest first',
  'list-by-name': 'first-time list by name',
  'list-by-text': 'first-time list by a text field',
  'list-by-number': 'first-time list by a number field',
  filtered:
    'first-time lists with a filter, against the same page without one; also in preview, with fallback, and by page number',
  'filtered-counts': 'first counts of lists with a filter, in simple mode',
  simple: 'pages in simple mode, against page 1',
  memory: 'memory under load; also measures repeated, object and list',
  publish: 'a publish on the large site, against the small one',
  render: 'a rendering of an unsaved article with 200 blocks, against a read of the saved one',
  changes: 'the change feed, 2,000 streams, a full sync against `galley export`, and publishes with webhooks',
  start: 'start to first response',
  import: 'import of the large site',
} as const;

export type RowName = keyof typeof ROWS;

export function isRowName(text: string): text is RowName {
  return Object.hasOwn(ROWS, text);
}

/** Measuring memory under load requires these rows. */
const NEEDED_BY_MEMORY = ['repeated', 'object', 'list'] as const;

/** The rows in which reads are measured. */
export const READ_ROWS: readonly RowName[] = [
  'repeated',
  'unchanged',
  'object',
  'list',
  'list-by-name',
  'list-by-text',
  'list-by-number',
  'filtered',
  'filtered-counts',
];

/** These rows are measured on a separate site. */
export const FILTER_ROWS: readonly RowName[] = ['filtered', 'filtered-counts'];

/** @param byDefault the rows to measure if none are named */
export function selectRows(
  names: readonly RowName[],
  byDefault: readonly RowName[] = Object.keys(ROWS).filter(isRowName),
): ReadonlySet<RowName> {
  const wanted = names.length === 0 ? byDefault : names;
  return new Set(wanted.includes('memory') ? [...NEEDED_BY_MEMORY, ...wanted] : wanted);
}

// Detects problems in a PostgreSQL plan for a list: sorting more than a few pages, reading a whole table, scanning an index without a
// start position, or discarding more rows than are returned.

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  /** Present only in an executed plan. */
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  /** The average per loop. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The maximum number of discarded rows. A plan may skip two of three types while it collects a page of a hundred objects. */
const MOST_REMOVED = 500;

export function findPlanFaults(node: PlanNode): readonly string[] {
  const type = node['Node Type'];
  const parts = node.Plans ?? [];
  const below = parts.flatMap(findPlanFaults);
  const isFault =
    /Hash|Materialize|Seq Scan|Bitmap|Gather/.test(type) ||
    (/Sort/.test(type) && !parts.every(isLimited)) ||
    (/^Index (Only )?Scan/.test(type) && node['Index Cond'] === undefined) ||
    sumRemoved({ ...node, Plans: [] }) > MOST_REMOVED;
  return isFault ? [`${type} ${node['Relation Name'] ?? ''}`, ...below] : below;
}

/** The number of rows that were read and discarded. */
export function sumRemoved(node: PlanNode): number {
  const own = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return (node.Plans ?? []).reduce((sum, part) => sum + sumRemoved(part), own);
}

/** The number of rows read from tables, whether kept or discarded. */
export function sumRead(node: PlanNode): number {
  const isScan = /Scan$/.test(node['Node Type']);
  const found = isScan ? (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0) : 0;
  return (node.Plans ?? []).reduce((sum, part) => sum + sumRead(part), found + sumRemoved({ ...node, Plans: [] }));
}

/** Whether each part of a list returns no more rows than one page. */
function isLimited({ 'Node Type': type, Plans = [] }: PlanNode): boolean {
  return type === 'Limit' || (/Append|Sort|Subquery Scan/.test(type) && Plans.every(isLimited));
}

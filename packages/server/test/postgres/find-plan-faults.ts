// What is wrong with a plan of PostgreSQL for a list: it sorts more than a few pages, it reads a table from end to end, or
// it enters an index without knowing where.

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

export function findPlanFaults(node: PlanNode): readonly string[] {
  const type = node['Node Type'];
  const parts = node.Plans ?? [];
  const below = parts.flatMap(findPlanFaults);
  const isFault =
    /Hash|Materialize|Seq Scan|Bitmap|Gather/.test(type) ||
    (/Sort/.test(type) && !parts.every(isLimited)) ||
    (/^Index (Only )?Scan/.test(type) && node['Index Cond'] === undefined);
  return isFault ? [`${type} ${node['Relation Name'] ?? ''}`, ...below] : below;
}

/** Whether it gives no more rows than a page has, for each part of a list. */
function isLimited({ 'Node Type': type, Plans = [] }: PlanNode): boolean {
  return type === 'Limit' || (/Append|Sort|Subquery Scan/.test(type) && Plans.every(isLimited));
}

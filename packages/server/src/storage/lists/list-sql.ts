// The SQL for a list: it merges the branches of one segment in index order, or counts the segment's objects. The name of a statement
// contains everything that determines its text, so each statement is built and prepared only once.

import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { defineStatement, type SqlTraits, type Statement } from '../statement.ts';
import { buildBranch, buildReach, opaque } from './branch-sql.ts';
import { type Branch, type ListOutput, listBranches } from './list-branches.ts';
import { checksObjects, isAscending, type ListPlan, narrowFilters } from './list-plan.ts';
import { describeFilters } from './planned-filters.ts';
import { listPlaceRangesOf, listRangesOf, type Segment } from './segments.ts';
import { buildOrder } from './sort-key-sql.ts';

type Fragment = RawBuilder<unknown>;

const MOST_STATEMENTS_KEPT = 500;
const statements = new LRUCache<string, Statement>({ max: MOST_STATEMENTS_KEPT });

/** Undefined if no content type can have rows in the segment. */
export function findStatement(
  plan: ListPlan,
  segment: Segment,
  isForward: boolean,
  output: ListOutput,
): Statement | undefined {
  const name = JSON.stringify([
    output,
    isForward,
    segment.keys,
    segment.id,
    plan.view.models,
    plan.fallback !== null,
    plan.sorts,
    plan.types,
    plan.gathersBy,
    plan.gathersMany,
    plan.keepsMost,
    describeFilters(plan.filters),
    // The fields of each type. Within one database the type numbers would be sufficient, but a process may open several databases.
    plan.types?.map(({ typeNo }) => narrowFilters(plan, [typeNo]).fields.map(({ fieldNos }) => fieldNos)),
  ]);
  const known = statements.get(name);
  if (known !== undefined) return known;
  const branches = listBranches(plan, segment, output);
  if (branches.length === 0) return undefined;
  // One author may have written everything and another author nothing, so the best plan depends on the values.
  const isPlannedOnce = plan.filters.authorIds === null && plan.filters.fields.length === 0;
  const mayTakeLong = !isBounded(plan, branches, output);
  const statement = defineStatement(
    (traits) => {
      const checksTime = mayTakeLong && traits.checksTime;
      return buildList(plan, segment, branches, isForward, output, { ...traits, checksTime });
    },
    { isPlannedOnce, mayTakeLong, takesLong: mayTakeLong && plan.gathersMany },
  );
  statements.set(name, statement);
  return statement;
}

/** With more branches, preparing the statement takes longer than reading the rows. */
const MOST_QUICK_BRANCHES = 40;
/** The limit is low because every type may have an object with the slug. */
const MOST_QUICK_SLUGS = 10;

/** Whether a statement reads about as many rows as it returns, even on a large site. */
function isBounded(plan: ListPlan, branches: readonly Branch[], output: ListOutput): boolean {
  if (output === 'skip' || output === 'count' || branches.length > MOST_QUICK_BRANCHES) return false;
  if (plan.gathersBy !== null) return (plan.filters.slugs?.length ?? MOST_QUICK_SLUGS + 1) <= MOST_QUICK_SLUGS;
  // A preview skips published content that has a newer version, and a fallback skips translated content.
  if (plan.view.shadowed !== null || plan.fallback !== null || plan.sorts.length > 1) return false;
  if (checksObjects(plan)) return false;
  return branches.every(({ source }) => source.kind !== 'contents-lacking' && isOneRange(source));
}

/** A part with several types or fields is not in order, so the database has to read all of it to sort it. */
function isOneRange(source: Branch['source']): boolean {
  if (source.kind === 'gathered') return false;
  return (source.kind === 'values' ? source.fieldNos : (source.typeNos ?? [])).length <= 1;
}

function buildList(
  plan: ListPlan,
  segment: Segment,
  branches: readonly Branch[],
  isForward: boolean,
  output: ListOutput,
  traits: SqlTraits,
): Fragment {
  const { mergesParts, ordersMissing, comparesPlaces } = traits;
  const listRanges = comparesPlaces ? listPlaceRangesOf : listRangesOf;
  const ranges = plan.gathersBy === null ? listRanges(segment, isAscending(plan)) : [segment];
  const selects = ranges.flatMap((range) =>
    branches.map((branch) => ({ range, sql: buildBranch(plan, range, branch, isForward, output, traits) })),
  );
  if (output === 'count') {
    return sql`select ${sql.join(
      selects.map((select) => sql`(${select.sql})`),
      sql` + `,
    )} as total`;
  }
  const orderOf = (range: Segment): Fragment =>
    sql`order by ${sql.join(buildOrder(plan, range, isForward, ordersMissing))}`;
  const isMerged = mergesParts || selects.length === 1;
  const parts = selects.map((select) =>
    isMerged ? select.sql : sql`(${select.sql} ${orderOf(select.range)} limit ${buildReach(output)})`,
  );
  const [only, ...others] = ranges;
  return sql`${sql.join(parts, sql` union all `)} ${orderOf(only !== undefined && others.length === 0 ? only : segment)}
    limit ${opaque('limit')} ${output === 'skip' ? sql`offset ${opaque('offset')}` : sql``}`;
}

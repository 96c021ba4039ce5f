// The SQL of a list: one segment as the merge of its branches, in index order, or the number of objects in it.
// Statements are named by what decides their text, so each is built and prepared once.

import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { defineStatement, type SqlTraits, type Statement } from '../statement.ts';
import { buildBranch, buildReach, type ListOutput, opaque } from './branch-sql.ts';
import { type Branch, listBranches } from './list-branches.ts';
import { isAscending, isAuthorsOwn, type ListPlan, narrowFilters } from './list-plan.ts';
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
    plan.audience,
    plan.fallback !== null,
    plan.sorts,
    plan.types,
    plan.gathersBy,
    plan.gathersMany,
    describeFilters(plan.filters),
    // Which fields belong to which type. In one database the numbers tell, but a process may open another one.
    plan.types?.map(({ typeNo }) => narrowFilters(plan, [typeNo]).fields.map(({ fieldNos }) => fieldNos)),
  ]);
  const known = statements.get(name);
  if (known !== undefined) return known;
  const branches = listBranches(plan, segment);
  if (branches.length === 0) return undefined;
  // One author may have written everything, and another nothing: it is the values that tell the better way.
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

/** More branches take longer to prepare than to read. */
const MOST_QUICK_BRANCHES = 40;
/** Each type may have an object with the slug. */
const MOST_QUICK_SLUGS = 10;

/** Whether a statement reads about as many rows as it gives, however much the site has. */
function isBounded(plan: ListPlan, branches: readonly Branch[], output: ListOutput): boolean {
  if (output === 'skip' || output === 'count' || branches.length > MOST_QUICK_BRANCHES) return false;
  if (plan.gathersBy !== null) return (plan.filters.slugs?.length ?? MOST_QUICK_SLUGS + 1) <= MOST_QUICK_SLUGS;
  // A preview leaves out published content that has a newer version, a fallback what is translated.
  if (plan.audience === 'preview' || plan.fallback !== null || plan.sorts.length > 1) return false;
  const { fields, authorIds } = plan.filters;
  if (fields.length > 0 || (authorIds !== null && !isAuthorsOwn(plan))) return false;
  return branches.every(({ source }) => source.kind !== 'contents-lacking' && isOneRange(source));
}

/** Several types or fields in one part are not in order, and all of them are read to put them in order. */
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

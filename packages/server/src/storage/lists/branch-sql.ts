// The SQL for one branch of a list: its tables and conditions. If an index provides the order, the same select reads the bodies. If the
// database has to sort the objects first, the bodies are read last, and only for the objects on the page.

import { type RawBuilder, sql } from 'kysely';
import { isBodyOf, isNotShadowed, joinBodies, type ReadModel } from '../publication/read-model.ts';
import { checkTime, type SqlTraits, slot } from '../statement.ts';
import { bodyUnlessLarge } from './content-rows.ts';
import { type Branch, carrierOf, type ListOutput, walkedOf } from './list-branches.ts';
import {
  anyOf,
  buildFilterConditions,
  buildGathering,
  type Carrier,
  type FilterView,
  isShared,
} from './list-conditions.ts';
import { isAuthorsOwn, type ListPlan, narrowFilters, type PlannedField } from './list-plan.ts';
import { listGatherers, type PlannedFilters } from './planned-filters.ts';
import type { Segment } from './segments.ts';
import {
  buildKeyColumns,
  buildKeyConditions,
  buildOrder,
  buildPlaceConditions,
  idOf,
  nameKeys,
} from './sort-key-sql.ts';

type Fragment = RawBuilder<unknown>;

export function buildBranch(
  plan: ListPlan,
  segment: Segment,
  branch: Branch,
  isForward: boolean,
  output: ListOutput,
  traits: SqlTraits,
): Fragment {
  const { source, model, isFallback, lastChecks } = branch;
  const view: FilterView = {
    model,
    language: isFallback ? 'fallback' : 'language',
    followsAuthor: isAuthorsOwn(plan),
    traits,
  };
  if (output === 'count' && plan.sorts.length === 0 && source.kind === 'gathered' && isAllThatIsAsked(plan)) {
    return sql`select count(*) from (${buildGathered(plan, plan.filters, view)}) as d`;
  }
  // If the branch is not in order, the database has to sort more objects than fit on the page.
  const isInOrder = source.kind !== 'gathered' && plan.sorts.length === 1;
  const readsBodies = output === 'rows' && isInOrder;
  const carrier = carrierOf(plan, branch);
  const checkVersion = (row: 'p' | 'v0') => [
    ...(isFallback ? buildFallbackConditions(plan) : []),
    ...(model === plan.view.shadowed ? [isNotShadowed(row)] : []),
  ];
  const checkFilters = (row: Carrier) =>
    buildFilterConditions(narrowFilters(plan, source.typeNos), plan.gathersBy, row, view);
  const conditions = [
    ...checkTime(sql.ref(`${walkedOf(source)}.content_no`), traits),
    ...buildSourceConditions(plan, branch),
    ...plan.sorts.flatMap((sort, index) => buildKeyConditions(plan, branch, sort, index, segment, isForward)),
    ...buildPlaceConditions(plan, segment, branch, isForward),
    ...(lastChecks === 'none' ? checkVersion(carrier) : []),
    ...(readsBodies ? [isBodyOf(carrier)] : []),
    ...(lastChecks === 'version and filters' ? [] : checkFilters(source.kind === 'gathered' ? 'd' : carrier)),
  ];
  const lastConditions = [
    ...(lastChecks === 'none' ? [] : checkVersion('p')),
    ...(lastChecks === 'version and filters' ? checkFilters('p') : []),
  ];
  const found = readsBodies ? [bodyUnlessLarge] : [sql`${sql.ref(`${carrier}.content_no`)} as content_no`];
  const columns =
    output === 'count'
      ? sql`count(*)`
      : sql.join([
          sql`${idOf(branch)} as id`,
          ...(output === 'rows' ? found : []),
          ...buildKeyColumns(plan, segment, branch),
        ]);
  const select = sql`select ${columns} from ${buildSource(plan, segment, branch, readsBodies, view)}
    where ${sql.join(conditions, sql` and `)}`;
  if (output !== 'rows' || readsBodies) return select;
  const order = sql`order by ${sql.join(buildOrder(plan, segment, isForward, traits.ordersMissing))}`;
  const sorted = sql`${select} ${order}`;
  const page = lastConditions.length === 0 ? sorted : checkLast(sorted, order, model, lastConditions, traits);
  return buildWithBodies(plan, segment, model, sql`${page} limit ${buildReach(output)}`);
}

/** Looks up sorted rows and checks them one by one. */
function checkLast(
  sorted: Fragment,
  order: Fragment,
  model: ReadModel,
  conditions: readonly Fragment[],
  traits: SqlTraits,
): Fragment {
  const checks = [sql`p.content_no = s.content_no`, ...checkTime(sql.ref('s.content_no'), traits), ...conditions];
  // PostgreSQL may turn a condition into a join that changes the order, so the result is sorted again. SQLite keeps the order, and a second
  // `order by` would only make it sort once more.
  const [kept, again] = traits.mergesSubqueries ? [sql`offset 0`, order] : [sql`limit -1`, sql``];
  return sql`select s.* from (${sorted} ${kept}) as s cross join ${sql.table(`${model}_contents`)} as p
    where ${sql.join(checks, sql` and `)} ${again}`;
}

function buildGathered({ gathersBy }: ListPlan, filters: PlannedFilters, view: FilterView): Fragment {
  if (gathersBy === null) throw new Error('The list is read in order, so it has no gathered objects');
  return buildGathering(filters, gathersBy, view);
}

/** Reads the bodies last, once the objects on the page are known. */
function buildWithBodies(plan: ListPlan, segment: Segment, model: ReadModel, page: Fragment): Fragment {
  const keys = nameKeys(plan, segment).map((name) => sql.ref(`g.${name}`));
  return sql`select ${sql.join([sql`g.id`, bodyUnlessLarge, ...keys])}
    from (${page}) as g ${joinBodies(model)} where ${isBodyOf('g')}`;
}

/** The maximum number of rows that one part can contribute to the result. */
export function buildReach(output: ListOutput): Fragment {
  return output === 'skip' ? sql`${opaque('limit')} + ${slot('offset')}` : opaque('limit');
}

/** With a bare parameter after `limit`, SQLite would plan the statement on every run. That takes longer than reading the list. */
export function opaque(name: string): Fragment {
  return sql`${slot(name)} + 0`;
}

/** Whether every gathered object belongs to the list, so that no other condition needs to be checked. */
function isAllThatIsAsked({ view, fallback, filters, gathersBy }: ListPlan): boolean {
  if (view.shadowed !== null || fallback !== null || filters.fields.some(({ kind }) => kind === 'unmarked-off'))
    return false;
  const isGatheredByAll = gathersBy === 'all' || listGatherers(filters).length === 1;
  // A field belongs to one of the requested types, so filters on fields imply the types.
  return isGatheredByAll && (filters.typeNos === null || filters.fields.length > 0);
}

function buildSource(
  plan: ListPlan,
  segment: Segment,
  branch: Branch,
  readsBodies: boolean,
  view: FilterView,
): Fragment {
  const { source } = branch;
  const contents = sql`${sql.table(`${branch.model}_contents`)} as p`;
  const joins = plan.sorts.flatMap((sort, index) => {
    const isLead = index === 0 && (walkedOf(source) === 'v0' || source.kind === 'contents-lacking');
    if (sort.kind !== 'field' || isLead || isKnownMissing(branch, index, segment)) return [];
    return [
      sql`left join ${valueTable(branch.model, sort.accessor)} as ${sql.ref(`v${index}`)}
        on ${sql.ref(`v${index}.content_no`)} = p.content_no
        and ${sql.ref(`v${index}.field_no`)} = ${fieldOf(sort, source.typeNos)}`,
    ];
  });
  // The tables are read in this order: the first one provides the order of the list through an index, and bodies are looked up last.
  const bodies = readsBodies ? [joinBodies(branch.model)] : [];
  const [lead] = plan.sorts;
  const gathered =
    source.kind === 'gathered'
      ? [sql`(${buildGathered(plan, narrowFilters(plan, source.typeNos), view)} ${keepApart(view)}) as d cross join`]
      : [];
  if (walkedOf(source) === 'p' || lead?.kind !== 'field') {
    return sql.join([...gathered, contents, ...joins, ...bodies], sql` `);
  }
  const values = sql.join([...gathered, sql`${valueTable(branch.model, lead.accessor)} as v0`], sql` `);
  const objects = carrierOf(plan, branch) === 'p' ? [sql`cross join ${contents}`] : [];
  return sql.join([values, ...objects, ...joins, ...bodies], sql` `);
}

/** PostgreSQL does not merge a subquery that has an offset. */
function keepApart({ traits }: FilterView): Fragment {
  return traits.mergesSubqueries ? sql`offset 0` : sql``;
}

/**
 * The field that provides the sort key of the row `p`. If several types have a field with this handle, the row's type determines which
 * one is used.
 */
function fieldOf({ fields }: PlannedField, typeNos: readonly number[] | null): Fragment {
  const [only, ...others] = fields.filter(({ typeNo }) => typeNos === null || typeNos.includes(typeNo));
  if (only === undefined) return sql`null`;
  if (others.length === 0) return sql.lit(only.fieldNo);
  const cases = [only, ...others].map(({ typeNo, fieldNo }) => sql`when ${sql.lit(typeNo)} then ${sql.lit(fieldNo)}`);
  return sql`case p.type_no ${sql.join(cases, sql` `)} end`;
}

/** If the type does not have the field, there is no value to look up. */
function isKnownMissing(branch: Branch, index: number, segment: Segment): boolean {
  return index === 0 && branch.source.kind === 'contents' && segment.keys[0] === 'missing';
}

function valueTable(model: ReadModel, accessor: 'text' | 'number'): Fragment {
  return sql.table(`${model}_${accessor}s`);
}

function buildSourceConditions(plan: ListPlan, branch: Branch): readonly Fragment[] {
  const { source, isFallback, model } = branch;
  const language = slot(isFallback ? 'fallback' : 'language');
  if (source.kind === 'values') {
    const conditions = [sql`v0.field_no ${anyOf(source.fieldNos)}`, sql`v0.language = ${language}`];
    if (carrierOf(plan, branch) === 'p') conditions.push(sql`p.content_no = v0.content_no`);
    return conditions;
  }
  if (source.kind === 'gathered' && source.fieldNos !== null) {
    return [sql`v0.content_no = d.content_no`, sql`v0.field_no ${anyOf(source.fieldNos)}`];
  }
  if (source.kind === 'gathered') {
    const types = source.typeNos === null ? [] : [sql`p.type_no ${anyOf(source.typeNos)}`];
    return [sql`p.content_no = d.content_no`, ...types];
  }
  const conditions = [sql`p.site_no = ${slot('site')}`, sql`p.language = ${language}`];
  if (source.typeNos !== null) conditions.push(sql`p.type_no ${anyOf(source.typeNos)}`);
  if (source.kind === 'contents-lacking') {
    const lacks = (table: string): Fragment => sql`not exists (select 1 from ${sql.table(table)} as x
      where x.content_no = p.content_no and x.field_no ${anyOf(source.fieldNos)} and x.key is not null)`;
    conditions.push(lacks(`${model}_texts`), lacks(`${model}_numbers`));
  }
  return conditions;
}

/** Excludes groups that have a record in the requested language. With a share link, records that are not shared do not count. */
function buildFallbackConditions(plan: ListPlan): readonly Fragment[] {
  const shared = isShared('g.id', plan.filters).map((condition) => sql` and ${condition}`);
  return plan.view.models.map(
    (model) => sql`not exists (select 1 from ${sql.table(`${model}_contents`)} as g where g.site_no = p.site_no
      and g.translation_group = p.translation_group and g.language = ${slot('language')}${sql.join(shared, sql``)})`,
  );
}

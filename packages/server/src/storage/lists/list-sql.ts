// The SQL of a list: one segment as the merge of its branches, in index order, or the number of objects in it.
// Statements are named by what decides their text, so each is built and prepared once.

import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { checkTime, defineStatement, type SqlTraits, type Statement, slot } from '../statement.ts';
import { isBodyOf, joinBodies } from './join-bodies.ts';
import { bodyUnlessLarge } from './large-bodies.ts';
import { type Branch, listBranches } from './list-branches.ts';
import {
  anyOf,
  buildFilterConditions,
  buildGathering,
  describeFilters,
  type FilterView,
  isNotShadowed,
  listGatherers,
} from './list-conditions.ts';
import {
  isAscending,
  type ListPlan,
  listModels,
  narrowFilters,
  type PlannedField,
  type PlannedSort,
  type ReadModel,
} from './list-plan.ts';
import { type KeyCondition, listPlaceRangesOf, listRangesOf, type Segment } from './segments.ts';

type Fragment = RawBuilder<unknown>;

/** `rows` are an id, a body unless it is large, and the sort keys; a `probe` leaves the body away, and `skip` is one behind others. */
export type ListOutput = 'rows' | 'probe' | 'skip' | 'count';

const MOST_STATEMENTS_KEPT = 500;
const statements = new LRUCache<string, Statement>({ max: MOST_STATEMENTS_KEPT });

/** Plans live as long as their shapes; what is known by a plan need not be named in full. */
const statementsByPlan = new WeakMap<ListPlan, Map<string, Statement | undefined>>();

/** Undefined where no content type can have rows in the segment. */
export function findListStatement(
  plan: ListPlan,
  segment: Segment,
  isForward: boolean,
  output: ListOutput,
): Statement | undefined {
  const ofPlan = statementsByPlan.get(plan) ?? new Map<string, Statement | undefined>();
  statementsByPlan.set(plan, ofPlan);
  const name = `${output} ${isForward} ${segment.id} ${segment.keys.join()}`;
  if (ofPlan.has(name)) return ofPlan.get(name);
  const statement = findStatement(plan, segment, isForward, output);
  ofPlan.set(name, statement);
  return statement;
}

function findStatement(
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
    describeFilters(plan.filters),
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
    { isPlannedOnce, mayTakeLong },
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

/** The content of one author stands in an index of its own, newest first. */
export function isAuthorsOwn({ filters, sorts: [lead], types }: ListPlan): boolean {
  const isDefaultOrder = lead?.kind === 'attribute' && lead.column === 'published_at' && lead.direction === 'desc';
  return isDefaultOrder && filters.authorIds?.length === 1 && types === null;
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

/** How many rows of one part can be among those that are asked for. */
function buildReach(output: ListOutput): Fragment {
  return output === 'skip' ? sql`${opaque('limit')} + ${slot('offset')}` : opaque('limit');
}

/** SQLite plans a bare parameter behind `limit` anew at every run, which costs more than the list itself. */
function opaque(name: string): Fragment {
  return sql`${slot(name)} + 0`;
}

function buildBranch(
  plan: ListPlan,
  segment: Segment,
  branch: Branch,
  isForward: boolean,
  output: ListOutput,
  traits: SqlTraits,
): Fragment {
  const { source, model, isFallback } = branch;
  const view: FilterView = {
    model,
    language: isFallback ? 'fallback' : 'language',
    followsAuthor: isAuthorsOwn(plan),
    traits,
  };
  if (output === 'count' && plan.sorts.length === 0 && source.kind === 'gathered' && isAllThatIsAsked(plan)) {
    return sql`select count(*) from (${buildGathering(plan.filters, source.gatherer, view)}) as d`;
  }
  // What the database has to put in order is more than what stands on the page.
  const isInOrder = source.kind !== 'gathered' && plan.sorts.length === 1;
  const readsBodies = output === 'rows' && isInOrder;
  const carrier = carrierOf(plan, branch);
  const conditions = [
    ...checkTime(sql.ref(`${walkedOf(source)}.content_no`), traits),
    ...buildSourceConditions(plan, branch),
    ...plan.sorts.flatMap((sort, index) => buildKeyConditions(plan, branch, sort, index, segment, isForward)),
    ...buildPlaceConditions(plan, segment, branch, isForward),
    ...(isFallback ? buildFallbackConditions(plan) : []),
    ...(plan.audience === 'preview' && model === 'published' ? [isNotShadowed(carrier)] : []),
    ...(readsBodies ? [isBodyOf(carrier)] : []),
    ...buildFilterConditions(
      narrowFilters(plan, source.typeNos),
      plan.gathersBy,
      source.kind === 'gathered' ? 'd' : carrier,
      view,
    ),
  ];
  const found = readsBodies ? [bodyUnlessLarge] : [sql`${sql.ref(`${carrier}.content_no`)} as content_no`];
  const columns =
    output === 'count' ? sql`count(*)` : buildColumns(plan, segment, branch, output === 'rows' ? found : []);
  const select = sql`select ${columns} from ${buildSource(plan, segment, branch, readsBodies, view)}
    where ${sql.join(conditions, sql` and `)}`;
  if (output !== 'rows' || readsBodies) return select;
  const order = buildOrder(plan, segment, isForward, traits.ordersMissing);
  return buildWithBodies(plan, segment, model, sql`${select} order by ${sql.join(order)} limit ${buildReach(output)}`);
}

/** Bodies are read when it is known which objects stand on the page. */
function buildWithBodies(plan: ListPlan, segment: Segment, model: ReadModel, page: Fragment): Fragment {
  const keys = nameKeys(plan, segment).map((name) => sql.ref(`g.${name}`));
  return sql`select ${sql.join([sql`g.id`, bodyUnlessLarge, ...keys])}
    from (${page}) as g ${joinBodies(model)} where ${isBodyOf('g')}`;
}

/** The aliases of the sort keys, and of what tells that they are missing. */
function nameKeys({ sorts }: ListPlan, { keys }: Segment): readonly string[] {
  return [
    ...sorts.map((_, index) => `k${index}`),
    ...sorts.flatMap((sort, index) => (sortsMissingLast(sort, keys[index]) ? [`m${index}`] : [])),
  ];
}

/** Whether everything that is gathered is in the list. */
function isAllThatIsAsked({ audience, fallback, filters, gathersBy }: ListPlan): boolean {
  if (audience === 'preview' || fallback !== null || filters.fields.some(({ kind }) => kind === 'unmarked-off'))
    return false;
  const isGatheredByAll = gathersBy === 'all' || listGatherers(filters).length === 1;
  // Fields belong to the types that are asked for.
  return isGatheredByAll && (filters.typeNos === null || filters.fields.length > 0);
}

function buildColumns(plan: ListPlan, segment: Segment, branch: Branch, found: readonly Fragment[]): Fragment {
  const columns = plan.sorts.map((sort, index) => {
    const key = keyOf(branch, sort, index);
    // Only the first key can follow an index; a planner that follows a later one walks the whole list for it.
    return sql`${index > 0 && branch.source.kind !== 'gathered' ? unindexed(key, sort) : key} as ${sql.ref(`k${index}`)}`;
  });
  const missing = plan.sorts.flatMap((sort, index) =>
    sortsMissingLast(sort, segment.keys[index])
      ? [sql`case when ${keyOf(branch, sort, index)} is null then 1 else 0 end as ${sql.ref(`m${index}`)}`]
      : [],
  );
  return sql.join([sql`${idOf(branch)} as id`, ...found, ...columns, ...missing]);
}

/** The same key, in a form that no planner takes for an index's. */
function unindexed(key: Fragment, sort: PlannedSort): Fragment {
  const isText = sort.kind === 'field' ? sort.accessor === 'text' : sort.column.endsWith('_key');
  return isText ? sql`${key} || ''` : sql`${key} + 0`;
}

function buildOrder(plan: ListPlan, segment: Segment, isForward: boolean, ordersMissing: boolean): readonly Fragment[] {
  const direct = (direction: 'asc' | 'desc'): Fragment => ((direction === 'asc') === isForward ? sql`asc` : sql`desc`);
  const terms = plan.sorts.flatMap((sort, index) => {
    const condition = segment.keys[index];
    const isAlike = condition === 'equal' || (condition === 'missing' && (index > 0 || ordersMissing));
    if (isAlike) return [];
    if (condition === 'level') return [sql`${sql.ref(`k${index}`)} ${direct('asc')}`];
    const key = sql`${sql.ref(`k${index}`)} ${direct(sort.direction)}`;
    return sortsMissingLast(sort, condition) ? [sql`${sql.ref(`m${index}`)} ${direct('asc')}`, key] : [key];
  });
  return [...terms, sql`id ${direct('asc')}`];
}

function sortsMissingLast(sort: PlannedSort, condition: KeyCondition | undefined): boolean {
  return sort.isNullable && condition === 'any';
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
  // Read in this order: an index gives the order of the list, each body is looked up last.
  const bodies = readsBodies ? [joinBodies(branch.model)] : [];
  const [lead] = plan.sorts;
  const gathered =
    source.kind === 'gathered'
      ? [sql`(${buildGathering(narrowFilters(plan, source.typeNos), source.gatherer, view)}) as d cross join`]
      : [];
  if (walkedOf(source) === 'p' || lead?.kind !== 'field') {
    return sql.join([...gathered, contents, ...joins, ...bodies], sql` `);
  }
  const values = sql.join([...gathered, sql`${valueTable(branch.model, lead.accessor)} as v0`], sql` `);
  const objects = carrierOf(plan, branch) === 'p' ? [sql`cross join ${contents}`] : [];
  return sql.join([values, ...objects, ...joins, ...bodies], sql` `);
}

/** The field that holds the key of the row `p`, by the type of the row where several types have one. */
function fieldOf({ fields }: PlannedField, typeNos: readonly number[] | null): Fragment {
  const [only, ...others] = fields.filter(({ typeNo }) => typeNos === null || typeNos.includes(typeNo));
  if (only === undefined) return sql`null`;
  if (others.length === 0) return sql.lit(only.fieldNo);
  const cases = [only, ...others].map(({ typeNo, fieldNo }) => sql`when ${sql.lit(typeNo)} then ${sql.lit(fieldNo)}`);
  return sql`case p.type_no ${sql.join(cases, sql` `)} end`;
}

/** Where the rows of a part begin: with the values of a field, or with the objects. */
function walkedOf(source: Branch['source']): 'p' | 'v0' {
  return source.kind === 'values' || (source.kind === 'gathered' && source.fieldNos !== null) ? 'v0' : 'p';
}

/** What tells the number of an object. A list by one field finds it in the index of the values, and mostly needs no more. */
function carrierOf({ sorts, filters }: ListPlan, { source, isFallback }: Branch): 'p' | 'v0' {
  const needsNoMore = sorts.length === 1 && filters.authorIds === null && filters.slugs === null && !isFallback;
  return needsNoMore ? walkedOf(source) : 'p';
}

/** Content of a type that has no such field needs no look at the values. */
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

/** Groups that have a record in the asked language are not mixed in. */
function buildFallbackConditions(plan: ListPlan): readonly Fragment[] {
  return listModels(plan.audience).map(
    (model) => sql`not exists (select 1 from ${sql.table(`${model}_contents`)} as g where g.site_no = p.site_no
      and g.translation_group = p.translation_group and g.language = ${slot('language')})`,
  );
}

function buildKeyConditions(
  plan: ListPlan,
  branch: Branch,
  sort: PlannedSort,
  index: number,
  segment: Segment,
  isForward: boolean,
): readonly Fragment[] {
  const key = keyOf(branch, sort, index);
  const beyond = sql`${key} ${(sort.direction === 'asc') === isForward ? sql`>` : sql`<`} ${slot(`key${index}`)}`;
  switch (segment.keys[index] ?? 'any') {
    case 'any':
      return [];
    case 'equal':
      return [sql`${key} = ${slot(`key${index}`)}`];
    // Compared together with the id.
    case 'following':
      return [];
    case 'level':
      return [sql`${key} ${isForward ? sql`<=` : sql`>=`} ${slot(`key${index}`)}`];
    case 'onward':
      if (branch.source.kind !== 'gathered') throw new Error('A segment that goes onward is read as its ranges');
      return [sql`(${beyond} or ${key} = ${slot(`key${index}`)} and ${compareId(segment, branch, isForward)})`];
    case 'beyond':
      return [beyond];
    case 'present':
      return [sql`${key} is not null`];
    case 'missing':
      return index === 0 &&
        (branch.source.kind === 'contents' || branch.source.kind === 'contents-lacking') &&
        plan.sorts[0]?.kind === 'field'
        ? []
        : [sql`${key} is null`];
  }
}

function keyOf(branch: Branch, sort: PlannedSort, index: number): Fragment {
  if (branch.source.kind === 'gathered') {
    // Else a planner that knows little might look for the objects in the index of the key.
    return unindexed(sql.ref(sort.kind === 'attribute' ? `p.${sort.column}` : `v${index}.key`), sort);
  }
  if (sort.kind === 'attribute') return sql.ref(`p.${sort.column}`);
  // A part without a value in the leading field is found by other means than the value.
  if (index === 0 && branch.source.kind !== 'values') {
    return sort.accessor === 'text' ? sql`cast(null as text)` : sql`cast(null as double precision)`;
  }
  return sql.ref(`v${index}.key`);
}

function buildPlaceConditions(
  { sorts: [lead] }: ListPlan,
  { id, keys: [condition] }: Segment,
  branch: Branch,
  isForward: boolean,
): readonly Fragment[] {
  if (condition === 'onward') return [];
  const comparison = compare(id, isForward);
  if (lead !== undefined && (condition === 'level' || condition === 'following')) {
    const key = keyOf(branch, lead, 0);
    return id === 'any'
      ? [sql`${key} ${comparison} ${slot('key0')}`]
      : [sql`(${key}, ${idOf(branch)}) ${comparison} (${slot('key0')}, ${slot('id')})`];
  }
  return id === 'any' ? [] : [compareId({ id }, branch, isForward)];
}

function compareId({ id }: Pick<Segment, 'id'>, branch: Branch, isForward: boolean): Fragment {
  return sql`${idOf(branch)} ${compare(id, isForward)} ${slot('id')}`;
}

function compare(id: Segment['id'], isForward: boolean): Fragment {
  return sql.raw(`${isForward ? '>' : '<'}${id === 'beyond' ? '' : '='}`);
}

function idOf(branch: Branch): Fragment {
  const id = sql.ref(`${walkedOf(branch.source)}.id`);
  return branch.source.kind === 'gathered' ? sql`${id} || ''` : id;
}

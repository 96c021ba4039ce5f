// Chooses how to read a filtered list. If few objects match a filter, they are gathered: the filter's index finds all of them, and the
// database sorts them. If many match, the list is walked: the database reads it in order and checks each object until the page is full. For
// a page of p objects from a list of n, of which m match the filter, gathering takes m steps and walking takes p · n / m. If the filter
// does not correlate with the order, the faster of the two never takes more than √(p · n) steps.

import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, queryCells, type SqlTraits, type Statement, slot } from '../statement.ts';
import { buildUnion, type View } from '../views.ts';
import { anyOf, buildFilterConditions, buildNumbers } from './list-conditions.ts';
import type { ListPlan } from './list-plan.ts';
import {
  bindFilters,
  describeFilters,
  type Gatherer,
  listGatherers,
  type PlannedFilter,
  type PlannedLinkFilter,
} from './planned-filters.ts';

interface SettledPlan {
  readonly generation: number;
  readonly plan: ListPlan;
}

const settledPlans = new WeakMap<ListPlan, SettledPlan>();

/**
 * Completes the plan with the chosen way to read the list and with the ids of linked content.
 * @param generation the generation of the plan's view of the site, for which the result is cached
 */
export function* settlePlan(plan: ListPlan, generation: number): Procedure<ListPlan> {
  const known = settledPlans.get(plan);
  if (known?.generation === generation) return known.plan;
  const linked = yield* resolveLinks(plan);
  const settled = plan.gathersBy === null ? yield* chooseGathering(linked) : linked;
  settledPlans.set(plan, { generation, plan: settled });
  return settled;
}

/** A filter for links to content that readers cannot see matches nothing. */
function* resolveLinks(plan: ListPlan): Procedure<ListPlan> {
  const fields: PlannedFilter[] = [];
  for (const filter of plan.filters.fields) {
    if (!isLink(filter)) fields.push(filter);
    else fields.push({ kind: 'token', fieldNos: filter.fieldNos, values: yield* selectVisibleIds(plan, filter) });
  }
  const filters = { ...plan.filters, fields };
  return { ...plan, filters, values: { ...plan.values, ...bindFilters(filters) } };
}

function isLink(filter: PlannedFilter): filter is PlannedLinkFilter {
  return filter.kind === 'link';
}

const visibleIds = new LRUCache<string, BatchStatement>({ max: 100 });

function* selectVisibleIds(
  { siteNo, siteLanguages, view, filters }: ListPlan,
  { by, values }: PlannedLinkFilter,
): Procedure<readonly string[]> {
  // Slugs are indexed by language, and linked content may be in any language.
  const languages = by === 'slug' ? siteLanguages : [];
  const name = JSON.stringify([view.models, by, languages]);
  const statement = visibleIds.get(name) ?? defineVisibleIds(view, by, languages);
  visibleIds.set(name, statement);
  const rows = yield* queryBatch<{ id: string }>(statement, values, { site: siteNo });
  const found = new Set(rows.map(({ id }) => id));
  return [...(filters.ids === undefined ? found : found.intersection(new Set(filters.ids)))];
}

function defineVisibleIds(view: View, by: 'id' | 'slug', languages: readonly string[]): BatchStatement {
  return defineBatchStatement((list) => {
    const inLanguages =
      languages.length === 0 ? sql`` : sql`and l.language in (${sql.join(languages.map((each) => sql.lit(each)))})`;
    return buildUnion(
      view,
      'l',
      (model) => sql`select l.id from ${sql.table(`${model}_contents`)} as l
        where l.site_no = ${slot('site')} ${inLanguages} and ${sql.ref(`l.${by}`)} in (${list})`,
    );
  });
}

/** Up to this many objects are always gathered. */
const FEW = 200;
/** On a large site, where objects are far apart on disk, gathering more objects than this takes milliseconds. */
const MANY = 300;
/** Gathering this many objects takes about a tenth of a second. */
export const MOST_GATHERED = 50_000;
/** How many of one filter's matches are sampled to estimate the share that also matches the other filters. */
const SAMPLE = 200;
/** If at least this share of a broad filter's matches also match all other filters, the list is walked. */
const LARGE_SHARE = 0.2;
/** If at least this share of the gathered objects match all filters, checking the page is faster than checking all of them. */
const KEPT_SHARE = 0.1;
/** With several filters, walking takes about this many lookups per object. Most gathered objects are ruled out after one lookup. */
const LOOKS_ON_A_WALK = 5;

/** Up to this many objects, intersecting several broad filters is faster than checking each object against each filter. */
const SMALL_SITE = 20_000;
const SEVERAL_FILTERS = 3;

function* chooseGathering(plan: ListPlan): Procedure<ListPlan> {
  const objects = yield* countObjects(plan);
  const chosen = yield* chooseGatherer(plan, objects);
  if (chosen !== null) {
    const { gatherer, size, share } = chosen;
    return { ...plan, gathersBy: gatherer, gathersMany: size > MANY, keepsMost: share >= KEPT_SHARE };
  }
  const isSmall = objects <= SMALL_SITE && listGatherers(plan.filters).length >= SEVERAL_FILTERS;
  return isSmall ? { ...plan, gathersBy: 'all' } : plan;
}

/** Null if walking the list is faster. */
function* chooseGatherer(plan: ListPlan, objects: number): Procedure<ChosenGatherer | null> {
  const gatherers = listGatherers(plan.filters);
  const most = boundGathering(plan, objects, 1);
  let narrowest = yield* findNarrowest(plan, gatherers, most);
  if (narrowest.size > most) {
    const share = yield* estimateShare(plan, narrowest.gatherer);
    if (share >= LARGE_SHARE) return null;
    // Many objects match each filter, but few match all of them, so gathering pays off even for broader filters.
    const more = boundGathering(plan, objects, gatherers.length);
    narrowest = yield* findNarrowest(plan, gatherers, more);
    if (narrowest.size > more) return null;
  }
  const { gatherer, size } = narrowest;
  if (size <= FEW) return { ...narrowest, share: 1 };
  const share = yield* estimateShare(plan, gatherer);
  const walked = (plan.limit * objects) / (size * share);
  return size <= walked * (share === 1 ? 1 : LOOKS_ON_A_WALK) ? { ...narrowest, share } : null;
}

/** The number of matches at which gathering and walking take the same number of steps, for independent filters of equal size. */
function boundGathering({ limit }: ListPlan, objects: number, filters: number): number {
  const balance = (limit * objects ** filters) ** (1 / (filters + 1));
  return Math.round(Math.min(MOST_GATHERED, Math.max(FEW, balance)));
}

interface FilterSize {
  readonly gatherer: Gatherer;
  readonly size: number;
}

interface ChosenGatherer extends FilterSize {
  /** The estimated share of the filter's matches that match all filters. */
  readonly share: number;
}

/** @param most counting stops as soon as a filter has more matches than this */
export function* findNarrowest(plan: ListPlan, gatherers: readonly Gatherer[], most: number): Procedure<FilterSize> {
  const [counts = []] = yield* queryCells(findStatement('sizes', plan, buildSizes), { most: most + 1 }, plan.values);
  const sizes = gatherers.map((gatherer, index) => ({ gatherer, size: Number(counts[index]) }));
  return sizes.reduce((one, other) => (other.size < one.size ? other : one));
}

/** The number of objects in the list without its filters, in all languages. */
export function* countObjects(plan: ListPlan): Procedure<number> {
  const statement = findStatement('objects', plan, ({ view, filters: { typeNos } }) => {
    const isShown = view.showsUnpublished ? sql`` : sql`and status = 'published'`;
    const isOfType = typeNos === null ? sql`` : sql`and type_no ${anyOf(typeNos)}`;
    return sql`select cast(coalesce(sum(total), 0) as integer) from content_counts
      where site_no = ${slot('site')} ${isShown} ${isOfType}`;
  });
  const [row] = yield* queryCells(statement, {}, plan.values);
  return Number(row?.[0]);
}

/** The share of one filter's matches that match all filters. */
function* estimateShare(plan: ListPlan, gatherer: Gatherer): Procedure<number> {
  const { filters } = plan;
  const isOnly = filters.fields.length + (filters.authorIds === null ? 0 : 1) === 1;
  if (isOnly && (typeof gatherer === 'number' || filters.typeNos === null)) return 1;
  const sampled = { ...plan, gathersBy: gatherer };
  const [row] = yield* queryCells(findStatement('share', sampled, buildSample), { most: SAMPLE }, plan.values);
  return (Number(row?.[0]) + 1) / (SAMPLE + 1);
}

type Build = (plan: ListPlan, traits: SqlTraits) => RawBuilder<unknown>;

const statements = new LRUCache<string, Statement>({ max: 500 });

function findStatement(kind: string, plan: ListPlan, build: Build): Statement {
  const { view, fallback, filters, gathersBy } = plan;
  const name = JSON.stringify([kind, view.models, fallback !== null, gathersBy, describeFilters(filters)]);
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = defineStatement((traits) => build(plan, traits), { isPlannedOnce: false, mayTakeLong: true });
  statements.set(name, statement);
  return statement;
}

/** Counts the objects that match each filter, up to a limit. */
function buildSizes(plan: ListPlan, traits: SqlTraits): RawBuilder<unknown> {
  const languages = plan.fallback === null ? (['language'] as const) : (['language', 'fallback'] as const);
  const views = plan.view.models.flatMap((model) =>
    languages.map((language) => ({ model, language, followsAuthor: false, traits })),
  );
  const counts = listGatherers(plan.filters).map((gatherer) => {
    const parts = views.map(
      (view) =>
        sql`(select count(*) from (${buildNumbers(plan.filters, gatherer, view)} limit ${slot('most')} + 0) as f)`,
    );
    return sql.join(parts, sql` + `);
  });
  return sql`select ${sql.join(counts)}`;
}

/** Counts how many of the first matches of one filter match all filters. */
function buildSample({ filters, gathersBy }: ListPlan, traits: SqlTraits): RawBuilder<unknown> {
  if (gathersBy === null || gathersBy === 'all') throw new Error('There is no filter to sample');
  const view = { model: 'published', language: 'language', followsAuthor: false, traits } as const;
  const conditions = [
    sql`p.content_no = d.content_no`,
    ...(filters.typeNos === null ? [] : [sql`p.type_no ${anyOf(filters.typeNos)}`]),
    ...buildFilterConditions(filters, gathersBy, 'd', view),
  ];
  return sql`select count(*) from (${buildNumbers(filters, gathersBy, view)} limit ${slot('most')} + 0) as d
    cross join published_contents as p where ${sql.join(conditions, sql` and `)}`;
}

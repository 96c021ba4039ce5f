// How a filtered list is read depends on how much meets its filters. Where that is little, all of it is found by the index of the
// narrowest filter and put in order; where it is much, the list is walked in its order, and each object is looked up, until the page
// is full. With a page of p of n objects, one way takes m steps for a filter that m objects meet, the other p · n / m: the shorter of
// the two has never more than √(p · n), however large the site is, where the filter has nothing to do with the order.

import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import {
  defineStatement,
  type Procedure,
  query,
  queryCells,
  type SqlTraits,
  type Statement,
  slot,
} from '../statement.ts';
import { bindFilters } from './bind-filters.ts';
import {
  anyOf,
  buildFilterConditions,
  buildNumbers,
  describeFilters,
  isNotShadowed,
  listGatherers,
} from './list-conditions.ts';
import { type Audience, type Gatherer, type ListPlan, listModels, type ReadModel } from './list-plan.ts';
import { isAuthorsOwn } from './list-sql.ts';
import type { PlannedFilter, PlannedLinkFilter } from './planned-filters.ts';

/** Whether there is something to find out before the list is read. */
export function needsSettling(plan: ListPlan): boolean {
  if (plan.filters.fields.some(isLink)) return true;
  return plan.gathersBy === null && listGatherers(plan.filters).length > 0 && !isAuthorsOwn(plan);
}

interface SettledPlan {
  readonly generation: number;
  readonly plan: ListPlan;
}

const settledPlans = new WeakMap<ListPlan, SettledPlan>();

/**
 * The plan with a way to read it, and with the ids of what its links lead to.
 * @param generation of what the list shows, as long as which this holds; null where nothing is to be remembered
 */
export function* settlePlan(plan: ListPlan, generation: number | null): Procedure<ListPlan> {
  const known = settledPlans.get(plan);
  if (known !== undefined && known.generation === generation) return known.plan;
  const linked = yield* resolveLinks(plan);
  const settled = { ...linked, gathersBy: plan.gathersBy ?? (yield* chooseGatherer(linked)) };
  if (generation !== null) settledPlans.set(plan, { generation, plan: settled });
  return settled;
}

/** A link to content that readers cannot see matches nothing. */
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
  { siteNo, siteLanguages, audience }: ListPlan,
  { by, values }: PlannedLinkFilter,
): Procedure<readonly string[]> {
  // Slugs are indexed by language, and the link may lead to any of them.
  const languages = by === 'slug' ? siteLanguages : [];
  const name = JSON.stringify([audience, by, languages]);
  const statement = visibleIds.get(name) ?? defineVisibleIds(audience, by, languages);
  visibleIds.set(name, statement);
  const rows = yield* queryBatch<{ id: string }>(statement, values, { site: siteNo });
  return [...new Set(rows.map(({ id }) => id))];
}

function defineVisibleIds(audience: Audience, by: 'id' | 'slug', languages: readonly string[]): BatchStatement {
  return defineBatchStatement((list) => {
    const inLanguages =
      languages.length === 0 ? sql`` : sql`and l.language in (${sql.join(languages.map((each) => sql.lit(each)))})`;
    const select = (model: ReadModel) => sql`select l.id from ${sql.table(`${model}_contents`)} as l
      where l.site_no = ${slot('site')} ${inLanguages} and ${sql.ref(`l.${by}`)} in (${list})`;
    if (audience === 'public') return select('published');
    return sql`${select('published')} and ${isNotShadowed('l')} union all ${select('preview')}`;
  });
}

/** So few are gathered without further thought. */
const FEW = 200;
/** What is gathered in a tenth of a second. */
const MOST_GATHERED = 50_000;
const LOOKS_ON_A_WALK = 5;
/** How many objects of the narrowest filter tell how many of them meet the others. */
const SAMPLE = 200;

/** Null where the list is better walked in its order. */
function* chooseGatherer(plan: ListPlan): Procedure<Gatherer | null> {
  const gatherers = listGatherers(plan.filters);
  const objects = yield* estimateObjects(plan);
  // With independent filters that are equally wide, both ways take so many steps.
  const balance = (plan.limit * objects ** gatherers.length) ** (1 / (gatherers.length + 1));
  const most = Math.round(Math.min(MOST_GATHERED, Math.max(FEW, balance)));
  const [counts = []] = yield* queryCells(findStatement('sizes', plan, buildSizes), { most: most + 1 }, plan.values);
  const sizes = gatherers.map((gatherer, index) => ({ gatherer, size: Number(counts[index]) }));
  const [narrowest] = sizes.sort((one, other) => one.size - other.size);
  if (narrowest === undefined || narrowest.size > most) return null;
  const { gatherer, size } = narrowest;
  if (size <= FEW) return gatherer;
  const share = yield* estimateShare({ ...plan, gathersBy: gatherer });
  const walked = (plan.limit * objects) / (size * share);
  // Of what is gathered, most is left out after one look; on a walk each object takes several.
  return size <= walked * (gatherers.length === 1 ? 1 : LOOKS_ON_A_WALK) ? gatherer : null;
}

const sumCounts = new LRUCache<string, Statement>({ max: 100 });

/** About how many objects the list would have without its filters. */
function* estimateObjects({ siteNo, siteLanguages, fallback, filters }: ListPlan): Procedure<number> {
  const name = JSON.stringify(filters.typeNos);
  const ofTypes = filters.typeNos === null ? sql`` : sql`and type_no ${anyOf(filters.typeNos)}`;
  const statement =
    sumCounts.get(name) ??
    defineStatement(
      () => sql`select cast(coalesce(sum(total), 0) as integer) as total from content_counts
        where site_no = ${slot('site')} ${ofTypes}`,
    );
  sumCounts.set(name, statement);
  const [row] = yield* query<{ total: number }>(statement, { site: siteNo });
  return ((row?.total ?? 0) * (fallback === null ? 1 : 2)) / siteLanguages.length;
}

/** How many of those that meet the filter by which the list is gathered meet the others, too. */
function* estimateShare(plan: ListPlan): Procedure<number> {
  const { filters, gathersBy } = plan;
  const isOnly = filters.fields.length + (filters.authorIds === null ? 0 : 1) === 1;
  if (isOnly && (typeof gathersBy === 'number' || filters.typeNos === null)) return 1;
  const [row] = yield* queryCells(findStatement('share', plan, buildSample), { most: SAMPLE }, plan.values);
  return (Number(row?.[0]) + 1) / (SAMPLE + 1);
}

type Build = (plan: ListPlan, traits: SqlTraits) => RawBuilder<unknown>;

const statements = new LRUCache<string, Statement>({ max: 500 });

function findStatement(kind: string, plan: ListPlan, build: Build): Statement {
  const { audience, fallback, filters, gathersBy } = plan;
  const name = JSON.stringify([
    kind,
    audience,
    fallback !== null,
    gathersBy,
    filters.typeNos,
    describeFilters(filters),
  ]);
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = defineStatement((traits) => build(plan, traits), { isPlannedOnce: false, mayTakeLong: true });
  statements.set(name, statement);
  return statement;
}

/** How many objects meet each filter, counted no further than necessary. */
function buildSizes(plan: ListPlan, traits: SqlTraits): RawBuilder<unknown> {
  const languages = plan.fallback === null ? (['language'] as const) : (['language', 'fallback'] as const);
  const views = listModels(plan.audience).flatMap((model) =>
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

/** How many of the first that meet one filter meet all of them. */
function buildSample({ filters, gathersBy }: ListPlan, traits: SqlTraits): RawBuilder<unknown> {
  if (gathersBy === null || gathersBy === 'all') throw new Error('No filter is sampled');
  const view = { model: 'published', language: 'language', followsAuthor: false, traits } as const;
  const conditions = [
    sql`p.content_no = d.content_no`,
    ...(filters.typeNos === null ? [] : [sql`p.type_no ${anyOf(filters.typeNos)}`]),
    ...buildFilterConditions(filters, gathersBy, 'd', view),
  ];
  return sql`select count(*) from (${buildNumbers(filters, gathersBy, view)} limit ${slot('most')} + 0) as d
    cross join published_contents as p where ${sql.join(conditions, sql` and `)}`;
}

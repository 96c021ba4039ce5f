// A list's filters in SQL. Each filter has two forms: a condition that is checked for each row `p` of a read model, and the set of
// all matching objects, which is read from an index.

import { type RawBuilder, sql } from 'kysely';
import { IS_ON_TOKEN } from '../../content/typeset.ts';
import type { ReadModel } from '../publication/read-model.ts';
import { checkTime, type SqlTraits, slot } from '../statement.ts';
import type { Gathering } from './list-plan.ts';
import { type Gatherer, listGatherers, type PlannedFilter, type PlannedFilters } from './planned-filters.ts';

type Condition = RawBuilder<unknown>;

/** The source of a part of a list. */
export interface FilterView {
  readonly model: ReadModel;
  /** The slot for its language. */
  readonly language: 'language' | 'fallback';
  /** Whether the index on an author's content provides the order of the list. */
  readonly followsAuthor: boolean;
  readonly traits: SqlTraits;
}

/** The alias of the table that has the object's number. Value tables also have its id; a gathered row has only the number. */
export type Carrier = 'p' | 'v0' | 'd';

/**
 * @param known the filter that the rows are already known to match
 * @param carrier the alias of the table that has the object's number
 */
export function buildFilterConditions(
  { slugs, authorIds, fields }: PlannedFilters,
  known: Gathering | null,
  carrier: Carrier,
  view: FilterView,
): readonly Condition[] {
  // Planners may use an author's index only if it is in the order of the list.
  const author = view.followsAuthor ? sql`p.author_no` : sql`p.author_no + 0`;
  return [
    ...(slugs === null || known === 'slugs' || known === 'all' ? [] : [sql`p.slug ${isOneOf('slug', slugs)}`]),
    ...(authorIds === null || known === 'authors' || known === 'all'
      ? []
      : [sql`${author} ${isOneOfAuthors(authorIds)}`]),
    ...fields.flatMap((filter, index) =>
      known === index || (known === 'all' && filter.kind !== 'unmarked-off')
        ? []
        : [buildFieldCondition(filter, nameOf(index), carrier, view)],
    ),
  ];
}

/** The numbers of all objects in a language that match the filter, without duplicates. */
export function buildGathering(filters: PlannedFilters, gatherer: Gathering, view: FilterView): Condition {
  if (gatherer === 'all') {
    const sets = listGatherers(filters).map((each) => buildGathering(filters, each, view));
    return sql.join(sets, sql` intersect `);
  }
  const numbers = buildNumbers(filters, gatherer, view);
  return isSingle(filters, gatherer) ? numbers : sql`select distinct content_no from (${numbers}) as found`;
}

/** Like `buildGathering`, but an object may appear several times. */
export function buildNumbers(
  { typeNos, slugs, authorIds, fields, ids }: PlannedFilters,
  gatherer: Gatherer,
  view: FilterView,
): Condition {
  const inLanguage = sql`language = ${slot(view.language)}`;
  if (typeof gatherer !== 'number') {
    // The index on an author's content includes the type. The `+ 0` prevents planners from using an index on the type instead.
    const ofTypes = typeNos === null ? sql`` : sql`and type_no + 0 ${anyOf(typeNos)}`;
    const isWanted = {
      ids: sql`id ${isOneOf('shared', ids ?? [])}`,
      slugs: sql`slug ${isOneOf('slug', slugs ?? [])}`,
      authors: sql`author_no ${isOneOfAuthors(authorIds ?? [])} ${ofTypes}`,
    }[gatherer];
    return sql`select content_no from ${sql.table(`${view.model}_contents`)}
      where ${inTime(view)} site_no = ${slot('site')} and ${inLanguage} and ${isWanted}`;
  }
  const filter = fields[gatherer];
  if (filter === undefined) throw new Error(`The list has no filter ${gatherer}`);
  return sql`select content_no from ${valuesTable(filter, view)}
    where ${inTime(view)} field_no ${anyOf(filter.fieldNos)} and ${inLanguage} and ${hasValue(filter, nameOf(gatherer))}`;
}

/** Whether each object can match the filter only once. Only link fields have several values. */
function isSingle({ fields }: PlannedFilters, gatherer: Gatherer): boolean {
  if (typeof gatherer !== 'number') return true;
  const filter = fields[gatherer];
  return filter?.kind !== 'token' || filter.values.length <= 1;
}

function nameOf(index: number): string {
  return `field${index}_`;
}

/** For a share link: whether the id is one of those that the list may contain. */
export function isShared(column: string, { ids }: PlannedFilters): readonly Condition[] {
  return ids === undefined ? [] : [sql`${sql.ref(column)} ${isOneOf('shared', ids)}`];
}

/** Uses a scalar subquery, which is evaluated for each row. Planners would turn `exists` into a join with all of the filter's matches. */
function buildFieldCondition(filter: PlannedFilter, name: string, carrier: Carrier, view: FilterView): Condition {
  const found = sql`(select 1 from ${valuesTable(filter, view)} as x
    where x.field_no ${anyOf(filter.fieldNos)} and x.language = ${slot(view.language)} and ${hasValue(filter, name)}
    and ${isObject(filter, carrier)} limit 1)`;
  return filter.kind === 'unmarked-off' ? sql`${found} is null` : sql`${found} = 1`;
}

/** Objects with the same value are adjacent in an index: for text and numbers they are sorted by id, for tokens by number. */
function isObject({ kind }: PlannedFilter, carrier: Carrier): Condition {
  const isValue = kind === 'text' || kind === 'number';
  if (isValue && carrier !== 'd') return sql`x.id = ${sql.ref(`${carrier}.id`)}`;
  const number = sql.ref(`${carrier}.content_no`);
  // This is a range, because with `=` SQLite would search the tokens of all fields for the number.
  return isValue ? sql`x.content_no = ${number}` : sql`x.content_no between ${number} and ${number}`;
}

function valuesTable({ kind }: PlannedFilter, { model }: FilterView): Condition {
  return sql.table(`${model}_${kind === 'text' || kind === 'number' ? `${kind}s` : 'tokens'}`);
}

function hasValue(filter: PlannedFilter, name: string): Condition {
  switch (filter.kind) {
    // An index finds the few candidates by key; the digest determines whether their values are equal.
    case 'text':
      return sql`key ${isOneOf(`${name}key`, filter.values)} and digest ${isOneOf(`${name}digest`, filter.values)}`;
    case 'number':
      return sql`key ${isOneOf(name, filter.values)}`;
    case 'token':
      return sql`token ${isOneOf(name, filter.values)}`;
    case 'unmarked-off':
      return sql`token = ${sql.lit(IS_ON_TOKEN)}`;
    case 'link':
      throw new Error('Link filters must be resolved before the list is read');
  }
}

/**
 * A time check for a filter's matches. The statement collects all of them before it reads anything else, so they need their own check.
 */
function inTime({ traits }: FilterView): Condition {
  const [check] = checkTime(sql.ref('content_no'), traits);
  return check === undefined ? sql`` : sql`${check} and`;
}

function isOneOf(name: string, values: readonly unknown[]): Condition {
  if (values.length === 0) return sql`in (null)`;
  // With a single value, rows come from the index in order; with several values they do not.
  if (values.length === 1) return sql`= ${slot(`${name}0`)}`;
  return sql`in (${sql.join(values.map((_, index) => slot(`${name}${index}`)))})`;
}

function isOneOfAuthors(ids: readonly string[]): Condition {
  const numbers = sql`(select no from authors where site_no = ${slot('site')} and id ${isOneOf('author', ids)})`;
  return ids.length === 1 ? sql`= ${numbers}` : sql`in ${numbers}`;
}

/** `= number`, or `in (…)` for several numbers. Internal numbers are literals in the SQL, because there may be too many to bind. */
export function anyOf(numbers: readonly number[]): Condition {
  if (numbers.length === 0) return sql`in (null)`;
  const literals = numbers.map((number) => sql.lit(number));
  return numbers.length === 1 ? sql`= ${sql.join(literals)}` : sql`in (${sql.join(literals)})`;
}

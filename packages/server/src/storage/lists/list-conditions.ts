// The conditions of a list's filters on one row `p` of a read model.

import { type RawBuilder, sql } from 'kysely';
import { IS_ON_TOKEN } from '../../content/typeset.ts';
import type { FieldFilter, LinkFilter } from '../../listing/field-filter.ts';
import type { ListFilters } from '../../listing/list-query.ts';
import { checkTime, type SqlTraits, slot } from '../statement.ts';
import type { Audience, ReadModel } from './list-plan.ts';

type Condition = RawBuilder<unknown>;

/** Whose eyes a filter looks with, and where the row comes from. */
export interface FilterView {
  readonly model: ReadModel;
  readonly audience: Audience;
  readonly siteLanguages: readonly string[];
  readonly hasFallback: boolean;
  readonly traits: SqlTraits;
}

export function buildFilterConditions(filters: ListFilters, view: FilterView): readonly Condition[] {
  const conditions: Condition[] = [];
  if (filters.slugs !== null) conditions.push(sql`p.slug ${isOneOf('slug', filters.slugs)}`);
  if (filters.authorIds !== null) conditions.push(buildAuthorCondition(filters.authorIds));
  for (const [index, filter] of filters.fields.entries()) {
    conditions.push(...buildFieldConditions(filter, `field${index}_`, view));
  }
  return conditions;
}

/** What decides the SQL of the filters, as text that can be part of a statement's name. */
export function describeFilters(filters: ListFilters): readonly unknown[] {
  return [
    filters.slugs?.length,
    filters.authorIds?.length,
    filters.fields.map((filter) =>
      filter.kind === 'switch'
        ? [filter.kind, filter.fieldNos, filter.isOn, filter.typeNos]
        : [filter.kind, filter.fieldNos, filter.values.length, filter.kind === 'link' && [filter.by, filter.match]],
    ),
  ];
}

function isOneOf(name: string, values: readonly unknown[]): Condition {
  // One value keeps the index in order; a list does not.
  if (values.length === 1) return sql`= ${slot(`${name}0`)}`;
  return sql`in (${sql.join(values.map((_, index) => slot(`${name}${index}`)))})`;
}

function buildAuthorCondition(ids: readonly string[]): Condition {
  const numbers = sql`(select no from authors where site_no = ${slot('site')} and id ${isOneOf('author', ids)})`;
  return ids.length === 1 ? sql`p.author_no = ${numbers}` : sql`p.author_no in ${numbers}`;
}

function buildFieldConditions(filter: FieldFilter, name: string, view: FilterView): readonly Condition[] {
  switch (filter.kind) {
    case 'text':
      return [isAmong(buildTextMatch(filter.fieldNos, filter.values.length, name, view))];
    case 'number':
      return [
        isAmong(sql`select content_no from ${sql.table(`${view.model}_numbers`)}
          where ${inTime(view)} field_no ${anyOf(filter.fieldNos)} and language ${inLists(view)} and key ${isOneOf(name, filter.values)}`),
      ];
    case 'option':
      return [
        isAmong(sql`select content_no from ${sql.table(`${view.model}_tokens`)}
          where ${inTime(view)} field_no ${anyOf(filter.fieldNos)} and token ${isOneOf(name, filter.values)}`),
      ];
    case 'switch':
      return buildSwitchConditions(filter, view);
    case 'link':
      return buildLinkConditions(filter, name, view);
  }
}

/** Such a set is collected before the list is walked. */
function inTime({ traits }: FilterView): Condition {
  const [check] = checkTime(sql.ref('content_no'), traits);
  return check === undefined ? sql`` : sql`${check} and`;
}

function isAmong(numbers: Condition): Condition {
  return sql`p.content_no in (${numbers})`;
}

/** The languages that the list shows; values are indexed by language. */
function inLists({ hasFallback }: FilterView): Condition {
  return hasFallback ? sql`in (${slot('language')}, ${slot('fallback')})` : sql`= ${slot('language')}`;
}

/** `= number`, or `in (…)` for several. Numbers of ours stand in the SQL itself: there may be more than can be bound. */
export function anyOf(numbers: readonly number[]): Condition {
  if (numbers.length === 0) return sql`in (null)`;
  const literals = numbers.map((number) => sql.lit(number));
  return numbers.length === 1 ? sql`= ${sql.join(literals)}` : sql`in (${sql.join(literals)})`;
}

/** The key finds the few that could be equal in an index, the digest says whether they are. */
function buildTextMatch(fieldNos: readonly number[], count: number, name: string, view: FilterView): Condition {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const keys = indexes.map((index) => slot(`${name}key${index}`));
  const digests = indexes.map((index) => slot(`${name}digest${index}`));
  return sql`select content_no from ${sql.table(`${view.model}_texts`)} where ${inTime(view)} field_no ${anyOf(fieldNos)}
    and language ${inLists(view)} and key in (${sql.join(keys)}) and digest in (${sql.join(digests)})`;
}

function buildSwitchConditions(filter: FieldFilter & { kind: 'switch' }, view: FilterView): readonly Condition[] {
  const isOn = sql`p.content_no in (select content_no from ${sql.table(`${view.model}_tokens`)}
    where ${inTime(view)} field_no ${anyOf(filter.fieldNos)} and token = ${IS_ON_TOKEN})`;
  if (filter.isOn) return [isOn];
  const hasSwitch = sql`p.type_no ${anyOf(filter.typeNos)}`;
  return filter.fieldNos.length === 0 ? [hasSwitch] : [hasSwitch, sql`not ${isOn}`];
}

/** Links count as the reader sees them: one to content that is not visible matches nothing. */
function buildLinkConditions(filter: LinkFilter, name: string, view: FilterView): readonly Condition[] {
  const wanted = filter.values.map((_, index) => slot(`${name}${index}`));
  const groups = filter.match === 'all' ? wanted.map((value) => [value]) : [wanted];
  return groups.map((group) =>
    isAmong(sql`select content_no from ${sql.table(`${view.model}_tokens`)}
      where ${inTime(view)} field_no ${anyOf(filter.fieldNos)} and token in (${buildVisibleIds(filter.by, group, view)})`),
  );
}

function buildVisibleIds(by: 'id' | 'slug', values: readonly Condition[], view: FilterView): Condition {
  // Slugs are indexed by language, and the link may lead to any of them.
  const languages =
    by === 'slug'
      ? sql`and l.language in (${sql.join(view.siteLanguages.map((language) => sql.lit(language)))})`
      : sql``;
  const select = (model: ReadModel): Condition =>
    sql`select l.id from ${sql.table(`${model}_contents`)} as l
      where l.site_no = ${slot('site')} ${languages} and ${sql.ref(`l.${by}`)} in (${sql.join(values)})`;
  if (view.audience === 'public') return select('published');
  return sql`${select('published')} and ${isNotShadowed('l')} union all ${select('preview')}`;
}

/** In a preview, a published row gives way to the newer version of the same content. */
export function isNotShadowed(alias: string): Condition {
  return sql`not exists (select 1 from preview_contents as s where s.content_no = ${sql.ref(`${alias}.content_no`)})`;
}

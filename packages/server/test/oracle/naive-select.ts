// Selects the visible content that matches a request: first by language, then by each filter.

import type { FieldFilter, NaiveQuery } from './naive-query.ts';
import type { Reading, VisibleContent } from './naive-reading.ts';
import { visibleLinks } from './naive-render.ts';

export function selectContents(
  reading: Reading,
  query: NaiveQuery,
  language: string | null,
): readonly VisibleContent[] {
  return inLanguage(reading, language, query.hasFallback).filter((content) => passes(content, query, reading));
}

function inLanguage(reading: Reading, language: string | null, hasFallback: boolean): readonly VisibleContent[] {
  const fallback = reading.site.default_language;
  const asked = reading.contents.filter((content) => content.language === (language ?? fallback));
  if (language === null || !hasFallback) return asked;
  const answered = asked.map((content) => content.group);
  const mixedIn = reading.contents.filter(
    (content) => content.language === fallback && !answered.includes(content.group),
  );
  return [...asked, ...mixedIn];
}

/** The id of content that the reader is not allowed to see counts as unknown, even if translations of the content are visible. */
export function selectRecord(
  reading: Reading,
  id: string,
  language: string | null,
  hasFallback: boolean,
): VisibleContent | null {
  const asked = reading.contents.find((content) => content.id === id);
  if (asked === undefined || language === null) return asked ?? null;
  const inGroup = (wanted: string) =>
    reading.contents.find((content) => content.group === asked.group && content.language === wanted) ?? null;
  return inGroup(language) ?? (hasFallback ? inGroup(reading.site.default_language) : null);
}

function passes(content: VisibleContent, query: NaiveQuery, reading: Reading): boolean {
  return (
    meets(query.author, query.matchAny, (value) => content.author === value) &&
    meets(query.contentType, query.matchAny, (value) => content.type.handle === value) &&
    meets(query.contentTypeId, query.matchAny, (value) => content.type.id === value) &&
    meets(query.slug, query.matchAny, (value) => content.slug === value) &&
    query.fieldFilters.every((filter) =>
      meets(filter.values, query.matchAny, (value) => hasFieldValue(content, filter, value, reading)),
    )
  );
}

/** Each value is a condition. All conditions must be met or, with `match=any`, at least one. Without values, everything matches. */
function meets(values: readonly string[], matchAny: boolean, holds: (value: string) => boolean): boolean {
  if (values.length === 0) return true;
  return matchAny ? values.some(holds) : values.every(holds);
}

function hasFieldValue(content: VisibleContent, filter: FieldFilter, wanted: string, reading: Reading): boolean {
  const { accessor, handle, member } = filter;
  const field = content.type.fields.find((candidate) => candidate.handle === handle);
  const value = content.fields[handle] ?? {};
  switch (accessor) {
    case 'text':
      return field?.type === 'text' && value.text === wanted;
    case 'number':
      return field?.type === 'number' && value.number === Number(wanted);
    case 'is_on':
      // A switch that was never set is off.
      return field?.type === 'boolean' && (value.is_on ?? false) === ['true', '1'].includes(wanted);
    case 'selected_option':
      return field?.type === 'option' && value.selected_option === wanted;
    default:
      return (
        field?.type === 'content_links' &&
        visibleLinks(value.content_links ?? [], reading).some(
          (linked) => (member === 'id' ? linked.id : linked.slug) === wanted,
        )
      );
  }
}

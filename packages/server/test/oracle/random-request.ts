// Random requests for lists and single objects on a random site. They use existing and missing values, arrays in all four
// syntaxes, mixed sorts, small limits, both modes, languages, fallback and preview. Only a few of them are invalid.

import type { FieldRecord } from './bundle.ts';
import { chance, type Draw, drawNumber, pick, pickSome, shuffle } from './draw.ts';
import type { Pair } from './naive-query.ts';
import { OPTIONS } from './random-fields.ts';
import type { RandomSite } from './random-site.ts';
import { drawAmount, drawText } from './random-text.ts';

export interface RandomRequest {
  readonly path: string;
  readonly pairs: readonly Pair[];
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function drawListRequest(draw: Draw, random: RandomSite): RandomRequest {
  const isSimple = chance(draw, 35);
  const parameters = [
    ...drawFilters(draw, random),
    ...(chance(draw, 75) ? [drawSort(draw, random)] : []),
    ...(chance(draw, 90) ? [single('limit', String(drawLimit(draw)))] : []),
    ...(chance(draw, 40) ? [single('match', pick(draw, ['any', 'any', 'all']))] : []),
    ...(chance(draw, 40) ? [single('fallback_default_language', pick(draw, ['true', '1', 'true', 'false', '0']))] : []),
    ...(chance(draw, 15) ? [single('utm_source', drawFilterText(draw))] : []),
    ...(chance(draw, 10)
      ? [
          pick(
            draw,
            ['page', 'cursor'].map((name) => single(name, '')),
          ),
        ]
      : []),
    ...(chance(draw, 10) ? [isSimple ? single('cursor', 'ignored!') : single('page', 'ignored')] : []),
    ...(chance(draw, 5) ? [drawMistake(draw)] : []),
  ];
  return {
    path: '/api/v1/content',
    ...spellOut(draw, distinct(shuffle(draw, parameters))),
    headers: {
      ...drawReader(draw, random),
      ...(isSimple && { 'x-service-simple-pagination': pick(draw, ['true', 'TRUE', '1']) }),
      ...(!isSimple && chance(draw, 15) && { 'x-service-simple-pagination': pick(draw, ['false', '0', 'yes']) }),
    },
  };
}

export function drawObjectRequest(draw: Draw, random: RandomSite, otherIds: readonly string[]): RandomRequest {
  const ids = [...random.contents.map((content) => content.id), ...otherIds, 'c_nobody'];
  return {
    path: `/api/v1/content/${pick(draw, ids)}`,
    ...spellOut(draw, chance(draw, 40) ? [single('fallback_default_language', pick(draw, ['true', 'false']))] : []),
    headers: drawReader(draw, random),
  };
}

interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

function single(name: string, value: string): Parameter {
  return { name, values: [value] };
}

/** Keeps only the first parameter with each name, because the specification does not say what a repeated scalar parameter means. */
function distinct(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter((each, index) => parameters.findIndex((other) => other.name === each.name) === index);
}

function drawReader(draw: Draw, { site }: RandomSite): Readonly<Record<string, string>> {
  const languages = chance(draw, 4) ? ['xx'] : site.languages;
  return {
    'x-service-site': site.id,
    ...(chance(draw, 50) && { 'x-service-language': pick(draw, languages) }),
    ...(chance(draw, 30) && { 'x-service-preview': pick(draw, ['true', '1', 'True']) }),
  };
}

/** Mostly small, so walks have many pages. */
function drawLimit(draw: Draw): number {
  return chance(draw, 70) ? drawNumber(draw, 1, 7) : drawNumber(draw, 1, 100);
}

function drawFilters(draw: Draw, { authors, types, contents }: RandomSite): readonly Parameter[] {
  if (chance(draw, 60)) return [];
  const fields = types.flatMap((type) => type.fields);
  const slugs = contents.map((content) => content.slug);
  const filters = [
    { name: 'author', values: pickSome(draw, [...authors.map((author) => author.id), 'u_nobody'], 3) },
    { name: 'content_type', values: pickSome(draw, [...types.map((type) => type.handle), 'hero', 'nothing'], 3) },
    { name: 'content_type_id', values: pickSome(draw, [...types.map((type) => type.id), 't_nothing'], 3) },
    { name: 'slug', values: pickSome(draw, [...new Set([...slugs, 'hello', 'no-such-slug'])], 4) },
    ...pickSome(draw, fields, 2).flatMap((field) =>
      drawFieldFilter(
        draw,
        field,
        slugs,
        contents.map(({ id }) => id),
      ),
    ),
  ];
  // One or two conditions usually match some content; more conditions rarely do.
  return pickSome(
    draw,
    filters.filter((filter) => filter.values.length > 0),
    2,
  );
}

function drawFieldFilter(
  draw: Draw,
  { type, handle }: FieldRecord,
  slugs: readonly string[],
  ids: readonly string[],
): readonly Parameter[] {
  const times = <Value>(value: () => Value) => Array.from({ length: pick(draw, [1, 1, 1, 2, 3]) }, value);
  switch (type) {
    case 'text':
      return [{ name: `fields[text][${handle}]`, values: times(() => drawFilterText(draw)) }];
    case 'number':
      return [{ name: `fields[number][${handle}]`, values: times(() => String(drawAmount(draw))) }];
    case 'boolean':
      return [{ name: `fields[is_on][${handle}]`, values: [pick(draw, ['true', 'false', '1', '0'])] }];
    case 'option':
      return [
        {
          name: `fields[selected_option][${handle}]`,
          values: times(() => pick(draw, [...OPTIONS, { value: 'x' }]).value),
        },
      ];
    case 'content_links': {
      const member = pick(draw, ['slug', 'id']);
      const pool = member === 'slug' ? [...slugs, 'hello', 'nowhere'] : [...ids, 'c_nobody'];
      return [{ name: `fields[content_links][${handle}][${member}]`, values: times(() => pick(draw, pool)) }];
    }
    default:
      return [];
  }
}

/** The Link header repeats the query in up to four URLs, so very long values would not fit. */
function drawFilterText(draw: Draw): string {
  const text = drawText(draw);
  return encodeURIComponent(text).length > 800 ? 'a b' : text;
}

function drawSort(draw: Draw, { types }: RandomSite): Parameter {
  const fields = types.flatMap((type) => type.fields).filter(({ type }) => type === 'text' || type === 'number');
  const ofFields = fields.map(({ handle, type }) => `${handle}.${type}`);
  const fixed = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'];
  // Sorting by fields is harder to get right, so it is chosen about as often as sorting by fixed attributes.
  const attributes = new Set(
    Array.from({ length: drawNumber(draw, 1, 4) }, () =>
      pick(draw, ofFields.length > 0 && chance(draw, 55) ? ofFields : fixed),
    ),
  );
  return {
    name: 'sort',
    values: [...attributes].map((attribute) => `${attribute}${pick(draw, ['', ':asc', ':desc'])}`),
  };
}

function drawMistake(draw: Draw): Parameter {
  return pick(draw, [
    single('limit', pick(draw, ['0', '101', '-1', 'ten', '1.5'])),
    single('sort', pick(draw, ['id:asc', 'name:up', 'nothing.text:asc', 'name.text', ':asc'])),
    { name: 'sort', values: ['name:asc', 'name:desc'] },
    single('slug', ''),
    { name: 'author', values: ['u_nobody', ''] },
    single('match', 'some'),
    single('fallback_default_language', 'yes'),
    single('fields[text][nothing]', 'a'),
  ]);
}

/** Writes an array as `p=`, `p[]=`, `p[0]=` or with encoded brackets, which are all equivalent. */
function spellOut(draw: Draw, parameters: readonly Parameter[]): { pairs: readonly Pair[]; query: string } {
  const spelled = parameters.flatMap(({ name, values }) => {
    const isList = values.length > 1 || /^(author|content_type|content_type_id|slug|sort|fields.*)$/.test(name);
    const spelling = isList ? pick(draw, ['repeated', 'empty', 'numbered'] as const) : 'repeated';
    const encode = chance(draw, 40) ? encodeURIComponent : (text: string) => text;
    return values.map((value, index) => {
      const suffix = spelling === 'repeated' ? '' : spelling === 'empty' ? '[]' : `[${index}]`;
      const pair: Pair = [`${name}${suffix}`, value];
      return { pair, text: `${encode(pair[0])}=${encodeURIComponent(value)}` };
    });
  });
  return { pairs: spelled.map(({ pair }) => pair), query: spelled.map(({ text }) => text).join('&') };
}

// Every parameter of the delivery API: its values, limits and default. None has an example, because explorers fill in examples, and
// a request without input should list everything.

import { MAX_POSITION_LENGTH } from '../listing/change-position.ts';
import { CHANGE_LIMITS } from '../listing/change-query.ts';
import { MAX_CURSOR_LENGTH } from '../listing/cursor.ts';
import { SORT_ATTRIBUTES } from '../listing/sort.ts';
import type { JsonSchema, Parameter, Reference } from './open-api.ts';

const SORT_PATTERN = `^(${SORT_ATTRIBUTES.join('|')}|[^:]+\\.(text|number))(:(asc|desc))?$`;

const FILTERED_FIELD_PATTERNS = {
  '^fields\\[(text|selected_option)\\]\\[[^\\[\\]]+\\](\\[\\d*\\])?$': { type: 'string', minLength: 1 },
  '^fields\\[number\\]\\[[^\\[\\]]+\\](\\[\\d*\\])?$': { type: 'number' },
  '^fields\\[is_on\\]\\[[^\\[\\]]+\\](\\[\\d*\\])?$': { type: 'boolean' },
  '^fields\\[content_links\\]\\[[^\\[\\]]+\\]\\[(slug|id)\\](\\[\\d*\\])?$': { type: 'string', minLength: 1 },
} satisfies Record<string, JsonSchema>;

export function buildParameters(headerPrefix: string): Readonly<Record<string, Parameter>> {
  return {
    id: {
      name: 'id',
      in: 'path',
      description: 'The ID of a content object.',
      required: true,
      schema: { type: 'string', minLength: 1 },
    },
    author: buildFilter('author', 'Only content by these authors, given by ID.'),
    contentType: buildFilter('content_type', 'Only content of these types, given by handle.'),
    contentTypeId: buildFilter('content_type_id', 'Only content of these types, given by ID.'),
    slug: buildFilter(
      'slug',
      'Only content with these slugs. A slug is unique only within one content type and language.',
    ),
    fields: {
      name: 'fields',
      in: 'query',
      description: [
        'Only content whose custom fields have exactly these values:',
        '- `fields[text][<handle>]=value`',
        '- `fields[number][<handle>]=5`',
        '- `fields[is_on][<handle>]=true`',
        '- `fields[selected_option][<handle>]=value`',
        '- `fields[content_links][<handle>][slug]=value`, or `[id]`',
        '',
        'Each name above is a separate query parameter; here, write them as an object of names and values, such as `{"fields[number][rank]": 5}`. For several values of one field, append `[0]`, `[1]` to the name. A handle that does not exist in any content type is rejected.',
      ].join('\n'),
      style: 'form',
      explode: true,
      schema: { type: 'object', patternProperties: FILTERED_FIELD_PATTERNS, additionalProperties: false },
    },
    match: {
      name: 'match',
      in: 'query',
      description:
        'How several values of the same parameter are combined: `all` requires every value to match, and `any` requires at least one. Content must always match all parameters. The default is a server setting, normally `all`.',
      schema: { type: 'string', enum: ['all', 'any'] },
    },
    sort: {
      name: 'sort',
      in: 'query',
      description: [
        `The sort keys, in order of priority: \`attribute:direction\` with one of ${SORT_ATTRIBUTES.map((name) => `\`${name}\``).join(', ')}, or \`handle.text:direction\` and \`handle.number:direction\` for a custom field.`,
        'The direction is `asc` or `desc`; the default is `asc`. Examples: `name:asc`, `rank.number:desc`.',
        'Sorting ignores case and accents. Content without a value comes last, and ties are ordered by `id`.',
      ].join('\n\n'),
      style: 'form',
      explode: true,
      schema: {
        type: 'array',
        items: { type: 'string', pattern: SORT_PATTERN },
        maxItems: 8,
        uniqueItems: true,
        default: ['published_at:desc'],
      },
    },
    limit: {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of objects in the response.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    cursor: {
      name: 'cursor',
      in: 'query',
      description:
        'Where to continue, in cursor mode: `meta.next_cursor` or `meta.prev_cursor` from an earlier response with the same `sort`. Ignored in simple mode.',
      schema: { type: 'string', maxLength: MAX_CURSOR_LENGTH },
    },
    page: {
      name: 'page',
      in: 'query',
      description:
        'The page number, in simple mode; the first is 1. A page past the last is empty. Ignored in cursor mode.',
      schema: { type: 'integer', minimum: 1 },
    },
    fallbackDefaultLanguage: {
      name: 'fallback_default_language',
      in: 'query',
      description:
        'Whether content that is not translated into the requested language is returned in the site’s default language. `1` and `0` are also accepted.',
      schema: { type: 'boolean', default: false },
    },
    since: {
      name: 'since',
      in: 'query',
      description:
        'Where to continue: `next` from an earlier response or the `position` of a change, or `now` to get only later changes. Without it, a full sync begins.',
      schema: { type: 'string', maxLength: MAX_POSITION_LENGTH },
    },
    changeLimit: {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of changes in the response.',
      schema: {
        type: 'integer',
        minimum: 1,
        maximum: CHANGE_LIMITS.limit.most,
        default: CHANGE_LIMITS.limit.default,
      },
    },
    include: {
      name: 'include',
      in: 'query',
      description: '`content` adds the current content of the changed objects.',
      schema: { type: 'string', enum: ['content'] },
    },
    wait: {
      name: 'wait',
      in: 'query',
      description: 'If nothing has changed, the number of seconds to wait for a change before the response is sent.',
      schema: { type: 'integer', minimum: 1, maximum: CHANGE_LIMITS.waitSeconds },
    },
    lastEventId: {
      name: 'Last-Event-ID',
      in: 'header',
      description:
        'The `id` of the last event that you have received. It takes precedence over `since`, because clients reconnect with the URL that they used first.',
      schema: { type: 'string', maxLength: MAX_POSITION_LENGTH },
    },
    simplePagination: {
      name: `${headerPrefix}-SIMPLE-PAGINATION`,
      in: 'header',
      description:
        'Requests simple mode, with page numbers and totals: `true` or `1`. Any other value means cursor mode.',
      schema: { type: 'boolean' },
    },
    language: {
      name: `${headerPrefix}-LANGUAGE`,
      in: 'header',
      description:
        'The requested language, one of the site’s languages. Without it, lists are in the site’s default language.',
      schema: { type: 'string' },
    },
    preview: {
      name: `${headerPrefix}-PREVIEW`,
      in: 'header',
      description:
        'Requests the latest saved version of all content, published or not: `true` or `1`. The key must allow previews.',
      schema: { type: 'boolean' },
    },
    sourceMap: {
      name: `${headerPrefix}-SOURCE-MAP`,
      in: 'header',
      description:
        '`true` or `1` adds invisible marks and a `source_map` to a preview, to show where each value comes from. Published content never has them.',
      schema: { type: 'boolean' },
    },
    ifNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description:
        'The `ETag` of a response that you have stored. If it is still current, the response is a 304 without a body.',
      schema: { type: 'string' },
    },
  };
}

export const LIST_PARAMETERS = [
  'contentType',
  'contentTypeId',
  'author',
  'slug',
  'sort',
  'limit',
  'cursor',
  'page',
  'fallbackDefaultLanguage',
  'match',
  'fields',
  'simplePagination',
  'language',
  'preview',
  'sourceMap',
  'ifNoneMatch',
] as const;

export const CONTENT_PARAMETERS = [
  'id',
  'fallbackDefaultLanguage',
  'language',
  'preview',
  'sourceMap',
  'ifNoneMatch',
] as const;

export const CHANGE_PARAMETERS = ['since', 'contentType', 'changeLimit', 'include', 'wait'] as const;

export const STREAM_PARAMETERS = ['since', 'lastEventId', 'contentType', 'include'] as const;

export function referToParameters(names: readonly string[]): readonly Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function buildFilter(name: string, description: string): Parameter {
  return {
    name,
    in: 'query',
    description: `${description} An empty value is rejected.`,
    style: 'form',
    explode: true,
    schema: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 100 },
  };
}

// The change feed and its stream in the OpenAPI document: their paths, schemas and examples.

import type { ChangeListBody } from '@galley/wire';
import {
  buildNullable,
  buildObjectSchema,
  type JsonSchema,
  type PathItem,
  type Reference,
  referToSchema,
} from './open-api.ts';
import { CHANGE_PARAMETERS, referToParameters, STREAM_PARAMETERS } from './parameters.ts';

const POSITION: JsonSchema = { type: 'string', pattern: '^[\\w.:-]+$' };

export const CHANGE_SCHEMAS = {
  ContentChange: buildObjectSchema('A change to one object, or an object from a full sync.', {
    position: { description: 'The position after this change. Send it as `since` to continue from here.', ...POSITION },
    kind: {
      description:
        '`published`, `updated`, `moved` (its `uri` has changed, and possibly other values), `unpublished`, or `deleted` for good. In a full sync, `present`.',
      type: 'string',
      enum: ['present', 'published', 'updated', 'moved', 'unpublished', 'deleted'],
    },
    id: referToSchema('Id'),
    content_type: { description: 'The handle of the object’s content type.', type: 'string' },
    language: { description: 'The object’s language.', type: 'string', minLength: 1 },
    time: {
      description: 'When it changed. In a full sync, when the object was last saved.',
      ...referToSchema('Timestamp'),
    },
    moved: {
      description: 'Only for `moved`: the previous and the new `uri`.',
      ...buildNullable(referToSchema('ContentMove')),
    },
  }),
  ContentMove: buildObjectSchema('A change to an object’s `uri`.', {
    from: { type: 'string' },
    to: { type: 'string' },
  }),
  ChangeList: buildObjectSchema('A page of the change feed.', {
    changes: { type: 'array', items: referToSchema('ContentChange') },
    content: {
      description:
        'With `include=content`, the changed objects as they are now, each once; otherwise null. An object that is neither here nor in `too_large` is not published.',
      ...buildNullable({ type: 'array', items: referToSchema('Content') }),
    },
    too_large: {
      description: 'With `include=content`, objects that are too large for the feed, or damaged. Fetch them by ID.',
      type: 'array',
      items: referToSchema('Id'),
    },
    next: { description: 'Send it as `since` to get the changes after this page.', ...POSITION },
    has_more: { description: 'Whether more changes are already available.', type: 'boolean' },
    drop_others: {
      description:
        'True on the last page of a full sync. Objects that did not appear on any page of the sync are not published.',
      type: 'boolean',
    },
  }),
} satisfies Record<string, JsonSchema>;

const UPDATE = {
  kind: 'updated',
  content_type: 'article',
  language: 'en',
  time: '2026-03-01T08:00:00+00:00',
  moved: null,
} as const;

export const EXAMPLE_CHANGES: ChangeListBody = {
  changes: [
    { ...UPDATE, position: 'mm7rl1q8', id: 'c_paper_weight' },
    { ...UPDATE, position: 'mm7rl1q9', id: 'c_old_news', kind: 'unpublished' },
  ],
  content: null,
  too_large: [],
  next: 'mm7rl1q9',
  has_more: false,
  drop_others: false,
};

export const EXAMPLE_SYNC_END: ChangeListBody = {
  ...EXAMPLE_CHANGES,
  changes: [{ ...UPDATE, position: 'sync.mm7rl1q9.en:c_paper_weight', id: 'c_paper_weight', kind: 'present' }],
  drop_others: true,
};

export const EXAMPLE_STREAM = [
  'retry: 1000\n\n',
  'event: open\nid: mm7rl1q7\ndata: {"next":"mm7rl1q7"}\n\n',
  ':\n\n',
  `event: page\nid: mm7rl1q9\ndata: ${JSON.stringify(EXAMPLE_CHANGES)}\n\n`,
].join('');

/** @param shared the responses that all operations with a key have in common */
export function buildChangesPath(shared: Readonly<Record<string, Reference>>): Readonly<Record<string, PathItem>> {
  const { '304': _, ...errors } = shared;
  return {
    '/changes/v1': {
      get: {
        operationId: 'listChanges',
        tags: ['Changes'],
        summary: 'List changes',
        description: [
          'Returns everything that has changed for readers since a position, in order. If something that appears in many objects has changed, such as an author’s name, each of these objects is `updated`.',
          'Without `since`, a full sync begins: its pages list every published object once. Continue with `next` until `drop_others` is true; after that, you get changes.',
        ].join('\n\n'),
        parameters: referToParameters(CHANGE_PARAMETERS),
        responses: {
          '200': { $ref: '#/components/responses/ChangeList' },
          ...errors,
          '410': { $ref: '#/components/responses/ChangesGone' },
        },
      },
    },
    '/changes/v1/stream': {
      get: {
        operationId: 'streamChanges',
        tags: ['Changes'],
        summary: 'Follow changes',
        description: [
          'Sends the pages of the change feed as server-sent events, and stays open: changes follow within a fraction of a second. After a disconnect, send the last `id` as `Last-Event-ID` to continue without a gap.',
          '`event: page` has a page of the feed in its `data`. `event: open` has only `next`; it comes first if there is nothing to send yet. `event: gone` means that the log no longer has your position: start over with a full sync. Comments are heartbeats, which come at least every 15 seconds.',
        ].join('\n\n'),
        parameters: referToParameters(STREAM_PARAMETERS),
        responses: {
          '200': { $ref: '#/components/responses/ChangeStream' },
          ...errors,
          '410': { $ref: '#/components/responses/ChangesGone' },
        },
      },
    },
  };
}

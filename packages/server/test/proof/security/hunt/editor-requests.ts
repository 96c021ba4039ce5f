// The requests an editor can send to the management API: searches and lists with all parameters, and saves of hostile content.

import { PRESS } from '../../../conformance/records.ts';
import type { Asking } from '../../../support/connection.ts';
import { chance, type Prey, pick } from './climb.ts';
import { AUTHORS, MARKDOWN_FIELDS, OBJECTS, RICH_FIELDS } from './wide-site.ts';

type EditorRequest =
  | { readonly kind: 'list'; readonly path: string; readonly query: Readonly<Record<string, string>> }
  | { readonly kind: 'work'; readonly method: string; readonly path: string; readonly body: object | undefined }
  | {
      readonly kind: 'save';
      readonly method: 'POST' | 'PUT';
      readonly path: string;
      readonly texts: Readonly<Record<string, HostileText>>;
    };

interface HostileText {
  readonly part: string;
  readonly times: number;
}

const CONTENT = `/sites/${PRESS}/content`;
const SEARCHES = ['e', 'value', '%', '_', '1', 'zzz', 'ä', 'c_', '19999', 'a'.repeat(255), '%_'.repeat(120), '\\'];
const PARTS = [
  ...[
    '<',
    '<b>',
    '</p>',
    '<a href="',
    '<p class=',
    '<!--',
    '<![CDATA[',
    '&',
    '&lt',
    '&#0',
    '"',
    '<svg>',
    '<table><td>',
    '<li><ul>',
  ],
  ...[
    '*a ',
    '[',
    '[](',
    '![',
    '`',
    '> ',
    '- ',
    '  ',
    '\n',
    '|a|',
    '~~',
    '\\',
    'http://a.',
    'ﷺ',
    'e\u0301',
    'İ',
    '😀',
    'a',
  ],
];
const TIMES = [1, 1000, 20_000, 100_000, 400_000];

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  search: SEARCHES,
  content_type: ['note', 'page'],
  status: ['draft', 'published', 'changed', 'unpublished', 'archived', 'scheduled'],
  author: AUTHORS,
  language: ['en', 'de'],
  sort: ['updated_at:desc', 'updated_at:asc', 'created_at:desc', 'created_at:asc', 'name:asc', 'name:desc'],
  limit: ['1', '50', '100'],
  kind: ['image', 'video', 'none'],
};

const LISTS: readonly { readonly path: string; readonly names: readonly string[] }[] = [
  { path: CONTENT, names: ['search', 'content_type', 'status', 'author', 'language', 'sort', 'limit'] },
  { path: `/sites/${PRESS}/assets`, names: ['search', 'kind', 'limit'] },
  { path: `/sites/${PRESS}/authors`, names: ['search', 'limit'] },
  { path: `${CONTENT}/c_0/links`, names: ['limit'] },
  { path: `${CONTENT}/c_page_0/versions`, names: ['limit'] },
];

const READS = ['/overview', '/types', '/content/c_0', '/content/c_0/translations', '/content/c_page_0/delivered'];

/** @param token a management token with the editor role */
export function preyOfEditors(token: string): Prey<EditorRequest> {
  return {
    draw() {
      if (chance(45)) return drawList(pick(LISTS));
      if (chance(40)) return drawSave();
      return drawWork();
    },
    change(request) {
      if (request.kind === 'work') return drawWork();
      if (request.kind === 'save') {
        const handle = pick([...RICH_FIELDS, ...MARKDOWN_FIELDS]);
        const model = chance(60) ? pick(Object.values(request.texts)) : drawText();
        const times = chance(50) ? pick(TIMES) : model.times;
        return { ...request, texts: { ...request.texts, [handle]: { part: model.part, times } } };
      }
      const list = LISTS.find(({ path }) => path === request.path);
      if (list === undefined || chance(20)) return drawList(pick(LISTS));
      const name = pick(list.names);
      const { [name]: _, ...others } = request.query;
      return chance(30) ? { ...request, query: others } : { ...request, query: { ...others, [name]: drawValue(name) } };
    },
    build(request): Asking {
      const headers = { authorization: `Bearer ${token}` };
      const at = (path: string) => `/manage/v1${path}`;
      if (request.kind === 'list') {
        return { target: `${at(request.path)}?${new URLSearchParams(request.query)}`, headers };
      }
      if (request.kind === 'work') {
        return { method: request.method, target: at(request.path), headers, body: request.body };
      }
      const fields = Object.entries(request.texts).map(([handle, { part, times }]) => {
        return [handle, { text: part.repeat(Math.min(times, Math.floor(400_000 / part.length))) }] as const;
      });
      const isNew = request.path === CONTENT;
      const body = {
        ...(isNew ? { content_type: 'page', name: 'Hostile' } : {}),
        ...(request.method === 'PUT' ? { version: 1 } : {}),
        fields: Object.fromEntries(fields),
      };
      return { method: request.method, target: at(request.path), headers, body };
    },
  };
}

function drawList({ path, names }: (typeof LISTS)[number]): EditorRequest {
  const given = names.filter(() => chance(50));
  return { kind: 'list', path, query: Object.fromEntries(given.map((name) => [name, drawValue(name)])) };
}

function drawValue(name: string): string {
  return pick(QUERIES[name] ?? ['']);
}

function drawSave(): EditorRequest {
  const page = `c_page_${pick([0, 1, 2, 3])}`;
  const [method, path] = pick([
    ['POST', CONTENT],
    ['PUT', `${CONTENT}/${page}`],
    ['POST', `${CONTENT}/${page}/validate`],
  ] as const);
  const handles = [...RICH_FIELDS, ...MARKDOWN_FIELDS].filter(() => chance(50));
  return { kind: 'save', method, path, texts: Object.fromEntries(handles.map((handle) => [handle, drawText()])) };
}

function drawText(): HostileText {
  return { part: pick(PARTS), times: pick(TIMES) };
}

function drawWork(): EditorRequest {
  const note = `${CONTENT}/c_${Math.floor(Math.random() * OBJECTS)}`;
  return pick<() => EditorRequest>([
    () => ({ kind: 'work', method: 'GET', path: `/sites/${PRESS}${pick(READS)}`, body: undefined }),
    () => ({ kind: 'work', method: 'GET', path: '/traffic', body: undefined }),
    () => ({ kind: 'work', method: 'POST', path: `${note}/unpublish`, body: {} }),
    () => ({ kind: 'work', method: 'POST', path: `${note}/publish`, body: { version: 1 } }),
    () => ({ kind: 'work', method: 'POST', path: `${note}/duplicate`, body: {} }),
    () => ({ kind: 'work', method: 'GET', path: `${CONTENT}/c_page_0/versions/1/compare/2`, body: undefined }),
  ])();
}

// The query for a content list. A cursor is valid only for the sort order that it was created for.

import type { z } from 'zod';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Catalog } from '../../content/catalog.ts';
import { listNames } from '../../content/fault.ts';
import { CONTENT_STATES } from '../../content/lifecycle.ts';
import { handleMember, idMember, oneOfMember, strictMembers } from '../../content/schema-members.ts';
import type {
  RecordFilter,
  RecordOrder,
  RecordPosition,
  RecordSummaryRow,
} from '../../storage/contents/select-records-page.ts';
import { type PagePosition, pageParameters, searchParameter } from '../parameters.ts';
import { languageMember } from './content-bodies.ts';

const SORTS = [
  'updated_at:desc',
  'updated_at:asc',
  'created_at:desc',
  'created_at:asc',
  'name:asc',
  'name:desc',
] as const;

type Sort = (typeof SORTS)[number];

const ORDERS: Readonly<Record<Sort, RecordOrder>> = {
  'updated_at:desc': { sort: 'updated_at', isDescending: true },
  'updated_at:asc': { sort: 'updated_at', isDescending: false },
  'created_at:desc': { sort: 'created_at', isDescending: true },
  'created_at:asc': { sort: 'created_at', isDescending: false },
  'name:asc': { sort: 'name', isDescending: false },
  'name:desc': { sort: 'name', isDescending: true },
};

export const contentListQuery = strictMembers('the query', {
  ...pageParameters,
  search: searchParameter,
  content_type: handleMember.optional(),
  status: oneOfMember([...CONTENT_STATES, 'scheduled', 'failed']).optional(),
  author: idMember.optional(),
  language: languageMember.optional(),
  sort: oneOfMember(SORTS).default('updated_at:desc'),
});

type ContentListQuery = z.output<typeof contentListQuery>;

export interface ContentListPlan {
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
  readonly after: RecordPosition | undefined;
}

/** @param findAuthorNo looks up the site's authors */
export async function buildListPlan(
  query: ContentListQuery,
  catalog: Catalog,
  findAuthorNo: (id: string) => Promise<number | undefined>,
): Promise<ContentListPlan> {
  const { search, status, author, language, sort, cursor } = query;
  const type = query.content_type === undefined ? undefined : findType(catalog, query.content_type);
  const authorNo = author === undefined ? undefined : await findAuthorNo(author);
  if (author !== undefined && authorNo === undefined) {
    const message = `names an author who does not exist: ${author}`;
    throw refuseFaults([{ path: 'query.author', message, code: 'not_found', values: { kind: 'author', id: author } }]);
  }
  const filter = {
    search: search === '' ? undefined : search,
    typeNo: type,
    language,
    authorNo,
    state: status,
  };
  return { filter, order: ORDERS[sort], after: cursor && parsePosition(cursor, sort) };
}

function findType({ typesByHandle }: Catalog, handle: string): number {
  const type = typesByHandle.get(handle);
  if (type !== undefined) return type.no;
  const message = `names a content type that does not exist; the site has ${listNames([...typesByHandle.keys()])}`;
  throw refuseFaults([{ path: 'query.content_type', message }]);
}

export function buildPosition({ key, no }: RecordSummaryRow, sort: Sort): PagePosition {
  return { key: `${sort} ${key}`, no };
}

function parsePosition({ key, no }: PagePosition, sort: Sort): RecordPosition {
  const own = key.startsWith(`${sort} `) ? key.slice(sort.length + 1) : undefined;
  const isText = ORDERS[sort].sort === 'name';
  if (own === undefined || (!isText && !/^-?\d{1,15}$/.test(own))) {
    throw refuseFaults([{ path: 'query.cursor', message: 'must be a next_cursor from this list' }]);
  }
  return { key: isText ? own : Number(own), no };
}

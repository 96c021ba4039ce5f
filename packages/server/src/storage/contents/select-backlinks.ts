// What links here: the content whose published or newest version links to a content object, in its blocks too. Archived
// content stands in no read model, so it links to nothing; a link to oneself does not count.

import { type RawBuilder, sql } from 'kysely';
import type { ContentStatus } from '../../content/lifecycle.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

export interface BacklinkRow {
  readonly id: string;
  readonly name: string;
  /** The handle of its content type. */
  readonly type: string;
  readonly language: string;
  readonly status: ContentStatus;
  readonly newest_version: number;
  readonly published_version: number | null;
  /** 1 where the published version has the link, so that readers see it; 0 where only the newest saved version has it. */
  readonly is_public: number;
}

export interface BacklinkReach {
  /** Leaves out the links that only drafts have. */
  readonly isPublishedOnly: boolean;
}

const isHere = sql`site_no = ${slot('site')} and target_id = ${slot('id')}
  and content_no <> (select no from contents where site_no = ${slot('site')} and id = ${slot('id')})`;
const fromPublished = sql`select content_no from published_links where ${isHere}`;
const fromAll = sql`${fromPublished} union select content_no from preview_links where ${isHere}`;

interface ReachStatements {
  readonly select: Statement;
  readonly count: Statement;
}

const STATEMENTS = { published: defineReach(fromPublished), all: defineReach(fromAll) } as const;

function defineReach(sources: RawBuilder<unknown>): ReachStatements {
  return {
    // Both tables are read from the newest content on, so that nobody sorts the thousands that link to a category.
    select: defineStatement(
      () => sql`select c.id, c.name, t.handle as type, c.language, c.status, c.newest_version, c.published_version,
          case when exists (select 1 from published_links as p where p.site_no = ${slot('site')}
            and p.target_id = ${slot('id')} and p.content_no = c.no) then 1 else 0 end as is_public
        from (${sources} order by content_no desc limit ${slot('limit')} + 0) as source
        join contents as c on c.no = source.content_no
        join content_types as t on t.no = c.type_no
        order by c.no desc`,
    ),
    count: defineStatement(
      () => sql`select count(*) as total from (${sources} limit cast(${slot('most')} as bigint)) as source`,
    ),
  };
}

/** The newest content first. */
export function* selectBacklinks(
  siteNo: number,
  contentId: string,
  { isPublishedOnly, limit }: BacklinkReach & { readonly limit: number },
): Procedure<readonly BacklinkRow[]> {
  const { select } = STATEMENTS[isPublishedOnly ? 'published' : 'all'];
  return yield* query<BacklinkRow>(select, { site: siteNo, id: contentId, limit });
}

/** @param most where the count ends, for those who need not know how many more there are */
export function* countBacklinks(
  siteNo: number,
  contentId: string,
  { isPublishedOnly }: BacklinkReach,
  most = Number.MAX_SAFE_INTEGER,
): Procedure<number> {
  const { count } = STATEMENTS[isPublishedOnly ? 'published' : 'all'];
  const [row] = yield* query<{ total: number }>(count, { site: siteNo, id: contentId, most });
  return row?.total ?? 0;
}

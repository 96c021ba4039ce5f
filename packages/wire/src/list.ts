import type { ContentBody } from './content.ts';

/** `links` of a list in cursor mode. */
export interface CursorLinksBody {
  readonly first: null;
  readonly last: null;
  readonly prev: string | null;
  readonly next: string | null;
}

/** `meta` of a list in cursor mode. */
export interface CursorMetaBody {
  readonly path: string;
  readonly per_page: number;
  readonly next_cursor: string | null;
  readonly prev_cursor: string | null;
}

/** A list in cursor mode, the default. */
export interface CursorListBody {
  readonly data: readonly ContentBody[];
  readonly links: CursorLinksBody;
  readonly meta: CursorMetaBody;
}

/** `links` of a list in simple mode. */
export interface SimpleLinksBody {
  readonly first: string | null;
  readonly last: string | null;
  readonly prev: string | null;
  readonly next: string | null;
}

/** One entry of the page navigation; the gap marker `...` has no url. */
export interface PageLinkBody {
  readonly url: string | null;
  readonly label: string;
  readonly active: boolean;
}

/** `meta` of a list in simple mode. */
export interface SimpleMetaBody {
  readonly current_page: number;
  readonly from: number | null;
  readonly last_page: number;
  readonly links: readonly PageLinkBody[];
  readonly path: string;
  readonly per_page: number;
  readonly to: number | null;
  readonly total: number;
}

/** A list in simple mode, with page numbers and totals. */
export interface SimpleListBody {
  readonly data: readonly ContentBody[];
  readonly links: SimpleLinksBody;
  readonly meta: SimpleMetaBody;
}

/** What the list endpoint answers: an envelope, or the bare object when the list produced exactly one. */
export type ListBody = CursorListBody | SimpleListBody | ContentBody;

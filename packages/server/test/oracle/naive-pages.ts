// Builds the envelope for one page of an expected list. URLs are converted to a canonical form with the paging parameter last,
// because the specification does not define its position.

import type { ContentBody, PageLinkBody, SimpleLinksBody, SimpleMetaBody } from '@galley/wire';
import type { Pair } from './naive-query.ts';
import type { ExpectedList } from './naive-service.ts';

export interface ListAddress {
  /** Absolute, without parameters. */
  readonly path: string;
  readonly pairs: readonly Pair[];
}

interface ExpectedSimplePage {
  readonly bodies: readonly ContentBody[];
  readonly links: SimpleLinksBody;
  readonly meta: SimpleMetaBody;
}

/** The objects in the nth set, counting from 0. */
export function setOf(list: ExpectedList, index: number): readonly ContentBody[] {
  return list.bodies.slice(index * list.limit, (index + 1) * list.limit);
}

export function lastPage(list: ExpectedList): number {
  return Math.max(1, Math.ceil(list.bodies.length / list.limit));
}

export function expectedSimplePage(list: ExpectedList, page: number, address: ListAddress): ExpectedSimplePage {
  const bodies = setOf(list, page - 1);
  const last = lastPage(list);
  const url = (number: number) => pageUrl(address, number);
  const prev = page > 1 ? url(page - 1) : null;
  const next = page < last ? url(page + 1) : null;
  const from = bodies.length === 0 ? null : (page - 1) * list.limit + 1;
  return {
    bodies,
    links: { first: url(1), last: url(last), prev, next },
    meta: {
      current_page: page,
      from,
      last_page: last,
      links: [
        { url: prev, label: '« Previous', active: false },
        ...numberedLinks(page, last, url),
        { url: next, label: 'Next »', active: false },
      ],
      path: address.path,
      per_page: list.limit,
      to: from === null ? null : from + bodies.length - 1,
      total: list.bodies.length,
    },
  };
}

function pageUrl({ path, pairs }: ListAddress, page: number): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of pairs) if (name !== 'page') parameters.append(name, value);
  parameters.append('page', String(page));
  return `${path}?${parameters}`;
}

/** All pages if there are at most 13; otherwise the first two, the current one with three on either side, and the last two. */
function numberedLinks(page: number, last: number, url: (page: number) => string): readonly PageLinkBody[] {
  const all = Array.from({ length: last }, (_, index) => index + 1);
  const shown = all.filter((each) => last <= 13 || each <= 2 || each >= last - 1 || Math.abs(each - page) <= 3);
  return shown.flatMap((each, index) => {
    const link = { url: url(each), label: String(each), active: each === page };
    const isAfterGap = each - (shown[index - 1] ?? 0) > 1;
    return isAfterGap ? [{ url: null, label: '...', active: false }, link] : [link];
  });
}

/** The same URL with uniform encoding and the paging parameter at the end. */
export function canonicalUrl(url: string, paging: 'cursor' | 'page'): string {
  const { origin, pathname, searchParams } = new URL(url);
  const kept = [...searchParams].filter(([name]) => name !== paging);
  const moved = [...searchParams].filter(([name]) => name === paging);
  return `${origin}${pathname}?${new URLSearchParams([...kept, ...moved])}`;
}

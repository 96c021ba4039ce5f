// The page navigation of simple mode: previous, pages 1 and 2, three pages either side of the current one, the last two
// pages, next. A gap marker stands where pages are skipped; up to 13 pages are all shown.

import type { PageLinkBody } from '@galley/wire';

const MOST_PAGES_SHOWN_WHOLE = 13;
const EDGE = 2;
const WINDOW = 3;

const GAP: PageLinkBody = { url: null, label: '...', active: false };

export function buildPageLinks(
  currentPage: number,
  lastPage: number,
  buildUrl: (page: number) => string,
): readonly PageLinkBody[] {
  const links: PageLinkBody[] = [
    { url: currentPage > 1 ? buildUrl(Math.min(currentPage - 1, lastPage)) : null, label: '« Previous', active: false },
  ];
  let previous = 0;
  for (const page of listShownPages(currentPage, lastPage)) {
    if (page > previous + 1) links.push(GAP);
    links.push({ url: buildUrl(page), label: String(page), active: page === currentPage });
    previous = page;
  }
  links.push({ url: currentPage < lastPage ? buildUrl(currentPage + 1) : null, label: 'Next »', active: false });
  return links;
}

function listShownPages(currentPage: number, lastPage: number): readonly number[] {
  const shown = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let page = Math.max(from, 1); page <= Math.min(to, lastPage); page++) shown.add(page);
  };
  if (lastPage <= MOST_PAGES_SHOWN_WHOLE) add(1, lastPage);
  add(1, EDGE);
  add(currentPage - WINDOW, currentPage + WINDOW);
  add(lastPage - EDGE + 1, lastPage);
  return [...shown].sort((a, b) => a - b);
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPageLinks } from './page-links.ts';

function labels(current: number, last: number): readonly string[] {
  return buildPageLinks(current, last, String).map(({ label }) => label);
}

const pages = fc.integer({ min: 1, max: 400 });

describe('the page navigation', () => {
  test('starts with a previous link and ends with a next link, null at the ends of the list', () => {
    fc.assert(
      fc.property(pages, pages, (current, last) => {
        const links = buildPageLinks(current, last, String);
        expect(links[0]).toEqual({
          url: current === 1 ? null : String(Math.min(current - 1, last)),
          label: '« Previous',
          active: false,
        });
        expect(links.at(-1)).toEqual({
          url: current < last ? String(current + 1) : null,
          label: 'Next »',
          active: false,
        });
      }),
    );
  });

  test('shows every page of up to 13', () => {
    for (let last = 1; last <= 13; last++) {
      for (let current = 1; current <= last; current++) {
        const numbers = Array.from({ length: last }, (_, index) => String(index + 1));
        expect(labels(current, last)).toEqual(['« Previous', ...numbers, 'Next »']);
      }
    }
  });

  test('of more shows the first two, the last two, and three on either side of the current one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 14, max: 400 }), pages, (last, anyPage) => {
        const current = Math.min(anyPage, last);
        const shown = labels(current, last)
          .slice(1, -1)
          .filter((label) => label !== '...')
          .map(Number);
        const expected = Array.from({ length: last }, (_, index) => index + 1).filter(
          (page) => page <= 2 || page > last - 2 || Math.abs(page - current) <= 3,
        );
        expect(shown).toEqual(expected);
      }),
    );
  });

  test('has a gap exactly where pages are skipped, and never two in a row', () => {
    fc.assert(
      fc.property(pages, pages, (current, last) => {
        const middle = labels(current, last).slice(1, -1);
        for (const [index, label] of middle.entries()) {
          const before = Number(middle[index - 1]);
          const after = Number(middle[index + 1]);
          if (label === '...') expect(after - before).toBeGreaterThan(1);
          else if (index > 0 && middle[index - 1] !== '...') expect(Number(label)).toBe(before + 1);
        }
      }),
    );
  });

  test('marks the current page and no other; past the end it marks none', () => {
    fc.assert(
      fc.property(pages, pages, (current, last) => {
        const active = buildPageLinks(current, last, String).filter((link) => link.active);
        expect(active).toEqual(current > last ? [] : [{ url: String(current), label: String(current), active: true }]);
      }),
    );
  });

  test('has no url for a gap, and the url of its page for every number', () => {
    for (const { url, label } of buildPageLinks(50, 100, (page) => `url ${page}`).slice(1, -1)) {
      expect(url).toBe(label === '...' ? null : `url ${label}`);
    }
  });
});

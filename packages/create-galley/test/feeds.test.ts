// Tests the front ends' RSS feed and sitemap.

import { join } from 'node:path';
import { expect, test } from 'vitest';

const FEEDS = join(import.meta.dirname, '../../../examples/magazine-shared/src/lib/render-feeds.ts');
const ORIGIN = 'http://localhost:4000';

interface Feeds {
  renderFeed(articles: readonly object[], language: string, origin: string): string;
  renderSitemap(pages: AsyncIterable<object>, origin: string): Promise<string>;
}
const { renderFeed, renderSitemap }: Feeds = await import(FEEDS);

const ARTICLE = {
  id: 'c_1',
  name: 'Cut & paste',
  uri: 'articles/cut',
  url: 'https://magazine.example/articles/cut',
  published_at: '2026-03-01T08:00:00+00:00',
  updated_at: '2026-03-02T08:00:00+00:00',
  seo: { robots: null },
  fields: { standfirst: { text: 'A \u0000<b>"sharp"</b> 🗡 knife' } },
};

async function* iterate(...pages: readonly object[]): AsyncGenerator<object> {
  yield* pages;
}

test('the feed escapes text and leaves out characters that XML does not allow', () => {
  const feed = renderFeed([ARTICLE], 'en', ORIGIN);
  expect(feed).toContain('<title>Cut &amp; paste</title>');
  expect(feed).toContain('<description>A &lt;b&gt;&quot;sharp&quot;&lt;/b&gt; 🗡 knife</description>');
  expect(feed).toContain('<pubDate>Sun, 01 Mar 2026 08:00:00 GMT</pubDate>');
  expect(feed).toContain('<link>https://magazine.example/articles/cut</link>');
  expect(feed).toContain('<link>https://magazine.example/</link>');
});

test.each([
  ['en', 'http://localhost:4000/'],
  ['fr', 'http://localhost:4000/fr'],
])('an empty feed in %s links to the front page in that language', (language, home) => {
  expect(renderFeed([], language, ORIGIN)).toContain(`<link>${home}</link>`);
});

test('the sitemap lists pages, except those that search engines must not index', async () => {
  const pages = iterate(
    ARTICLE,
    { ...ARTICLE, url: null, uri: 'a b' },
    { ...ARTICLE, url: 'https://magazine.example/hidden', seo: { robots: 'noindex, nofollow' } },
  );
  const sitemap = await renderSitemap(pages, ORIGIN);
  expect(sitemap.match(/<loc>.*?<\/loc>/g)).toEqual([
    '<loc>https://magazine.example/articles/cut</loc>',
    '<loc>http://localhost:4000/a%20b</loc>',
  ]);
  expect(sitemap).toContain('<lastmod>2026-03-02</lastmod>');
});

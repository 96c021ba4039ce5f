// The RSS feed and the sitemap. Both contain only published content.

import { buildPath } from './build-path.ts';
import type { Article, Content } from './content.ts';
import { chooseTexts, findFrontPage, SITE_NAME } from './site.ts';

/** @param origin the site's address, used if the site has no URL in Galley */
export function renderFeed(articles: readonly Article[], language: string, origin: string): string {
  const home = new URL(buildPath(findFrontPage(language)), articles[0]?.url ?? origin).href;
  const items = articles.map(
    (article) => `
    <item>
      <title>${escapeXml(article.name)}</title>
      <link>${escapeXml(locate(article, origin))}</link>
      <guid isPermaLink="false">${escapeXml(article.id)}</guid>
      <pubDate>${new Date(article.published_at ?? article.created_at).toUTCString()}</pubDate>
      <description>${escapeXml(article.fields.standfirst.text ?? '')}</description>
    </item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>${escapeXml(SITE_NAME)}</title>
    <link>${escapeXml(home)}</link>
    <description>${escapeXml(chooseTexts(language).tagline)}</description>
    <language>${escapeXml(language)}</language>${items.join('')}
  </channel>
</rss>
`;
}

export async function renderSitemap(pages: AsyncIterable<Content>, origin: string): Promise<string> {
  const entries: string[] = [];
  for await (const page of pages) {
    if (page.seo.robots?.includes('noindex')) continue;
    const [day] = page.updated_at.split('T');
    entries.push(`\n  <url><loc>${escapeXml(locate(page, origin))}</loc><lastmod>${day}</lastmod></url>`);
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}
</urlset>
`;
}

function locate({ url, uri }: Content, origin: string): string {
  return url ?? new URL(buildPath(uri), origin).href;
}

/** Escapes text for XML, and removes characters that XML does not allow. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

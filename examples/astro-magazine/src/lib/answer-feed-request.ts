// Both the site and its static build use these functions.

import { iterateContent, listArticles } from './read-content.ts';
import { renderFeed, renderSitemap } from './render-feeds.ts';

export async function answerFeedRequest({ origin }: URL, language: string): Promise<Response> {
  const feed = renderFeed(await listArticles(language, 'published'), language, origin);
  return new Response(feed, { headers: { 'Content-Type': 'application/rss+xml; charset=utf-8' } });
}

export async function answerSitemapRequest({ origin }: URL): Promise<Response> {
  const sitemap = await renderSitemap(iterateContent(), origin);
  return new Response(sitemap, { headers: { 'Content-Type': 'application/xml; charset=utf-8' } });
}

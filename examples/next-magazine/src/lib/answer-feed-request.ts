import { readArticles } from './cached-content.ts';
import { renderFeed } from './render-feeds.ts';

export async function answerFeedRequest(request: Request, language: string): Promise<Response> {
  const articles = await readArticles(language, 'published');
  return new Response(renderFeed(articles, language, new URL(request.url).origin), {
    headers: { 'Content-Type': 'application/rss+xml; charset=utf-8' },
  });
}

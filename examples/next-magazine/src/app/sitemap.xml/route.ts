import { readEverything } from '../../lib/cached-content.ts';
import { renderSitemap } from '../../lib/render-feeds.ts';

export async function GET(request: Request): Promise<Response> {
  return new Response(await renderSitemap(readEverything(), new URL(request.url).origin), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  });
}

// Checks the draft cookie once per request, and sets the headers of every page.

import { defineMiddleware } from 'astro:middleware';
import { checkAccess, DRAFT_COOKIE, ENDED_PATH, ENDING_PATH } from './lib/draft-mode.ts';
import { buildFramePolicy } from './lib/preview-settings.ts';

/** These work with any cookie. */
const UNCHECKED = [ENDED_PATH, '/api/draft', '/api/draft/leave'];

export const onRequest = defineMiddleware(async (context, next) => {
  const cookie = UNCHECKED.includes(context.url.pathname) ? undefined : context.cookies.get(DRAFT_COOKIE)?.value;
  const access = await checkAccess(cookie);
  // The visitor sees a page that says so.
  if (access === 'ended') return context.redirect(ENDING_PATH, 307);
  Object.assign(context.locals, { access });
  const response = await next();
  response.headers.set('Content-Security-Policy', buildFramePolicy());
  if (access !== 'published') response.headers.set('Cache-Control', 'no-store');
  return response;
});

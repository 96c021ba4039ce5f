// Reads the draft cookie, ends draft mode if Galley rejects the cookie's token, and sets the headers of every page.

import { defineMiddleware } from 'astro:middleware';
import { answerBusy } from './lib/answer-draft-request.ts';
import { DRAFT_COOKIE, ENDED_PATH, ENDING_PATH, explainRefusal, readAccess } from './lib/draft-mode.ts';
import { buildFramePolicy } from './lib/preview-settings.ts';

/** These paths work with any cookie. */
const UNCHECKED = [ENDED_PATH, '/api/draft', '/api/draft/leave'];

export const onRequest = defineMiddleware(async (context, next) => {
  const cookie = UNCHECKED.includes(context.url.pathname) ? undefined : context.cookies.get(DRAFT_COOKIE)?.value;
  const access = readAccess(cookie);
  // The visitor sees a page that says that the preview has ended.
  const end = () => context.redirect(ENDING_PATH, 307);
  if (access === 'ended') return end();
  Object.assign(context.locals, { access });

  async function render(): Promise<Response> {
    try {
      return await next();
    } catch (error) {
      const refusal = access === 'published' ? undefined : explainRefusal(error);
      if (refusal === undefined) throw error;
      return refusal === 'ended' ? end() : answerBusy();
    }
  }

  const response = await render();
  response.headers.set('Content-Security-Policy', buildFramePolicy());
  if (access !== 'published') response.headers.set('Cache-Control', 'no-store');
  return response;
});

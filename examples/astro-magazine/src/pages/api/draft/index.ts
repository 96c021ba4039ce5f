import type { APIRoute } from 'astro';
import { checkDraftRequest, DRAFT_HEADERS } from '../../../lib/check-draft-request.ts';
import { enterDraftMode } from '../../../lib/draft-mode.ts';

/** `/api/draft?secret=…&id=…` turns draft mode on and redirects to the page of that content object. */
export const GET: APIRoute = async ({ url, cookies }) => {
  const outcome = await checkDraftRequest(url.searchParams);
  if ('message' in outcome) return new Response(outcome.message, { status: outcome.status, headers: DRAFT_HEADERS });
  enterDraftMode(cookies);
  return new Response(null, { status: 307, headers: { ...DRAFT_HEADERS, Location: outcome.path } });
};

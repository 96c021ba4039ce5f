import { draftMode } from 'next/headers';
import { checkDraftRequest, DRAFT_HEADERS } from '../../../lib/check-draft-request.ts';

/** `/api/draft?secret=…&id=…` turns draft mode on and redirects to the page of that content object. */
export async function GET(request: Request): Promise<Response> {
  const outcome = await checkDraftRequest(new URL(request.url).searchParams);
  if ('message' in outcome) return new Response(outcome.message, { status: outcome.status, headers: DRAFT_HEADERS });
  (await draftMode()).enable();
  return new Response(null, { status: 307, headers: { ...DRAFT_HEADERS, Location: outcome.path } });
}

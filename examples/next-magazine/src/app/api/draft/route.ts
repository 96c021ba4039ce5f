import { answerDraftRequest } from '../../../lib/answer-draft-request.ts';

/** `/api/draft?secret=…&id=…` turns draft mode on and redirects to the page of that content object. */
export function GET(request: Request): Promise<Response> {
  return answerDraftRequest(new URL(request.url).searchParams);
}

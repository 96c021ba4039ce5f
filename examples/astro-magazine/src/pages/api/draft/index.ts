import type { APIRoute } from 'astro';
import { answerDraftRequest } from '../../../lib/answer-draft-request.ts';

/** `/api/draft?secret=…&id=…` turns draft mode on and redirects to the page of that content object. */
export const GET: APIRoute = ({ url }) => answerDraftRequest(url.searchParams);

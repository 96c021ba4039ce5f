import type { APIRoute } from 'astro';
import { answerLeaveRequest } from '../../../lib/answer-draft-request.ts';

export const GET: APIRoute = ({ url }) => answerLeaveRequest(url.searchParams);

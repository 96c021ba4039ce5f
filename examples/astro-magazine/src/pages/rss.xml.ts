import type { APIRoute } from 'astro';
import { answerFeedRequest } from '../lib/answer-feed-request.ts';
import { LANGUAGES } from '../lib/site.ts';

export const GET: APIRoute = ({ url }) => answerFeedRequest(url, LANGUAGES[0].code);

import type { APIRoute } from 'astro';
import { answerFeedRequest } from '../../lib/answer-feed-request.ts';

export const GET: APIRoute = ({ url }) => answerFeedRequest(url, 'fr');

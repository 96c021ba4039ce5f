import type { APIRoute } from 'astro';
import { answerFeedRequest } from '../../../src/lib/answer-feed-request.ts';

export const GET: APIRoute = ({ url }) => answerFeedRequest(url, 'fr');

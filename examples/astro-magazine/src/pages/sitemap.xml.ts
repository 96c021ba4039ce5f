import type { APIRoute } from 'astro';
import { answerSitemapRequest } from '../lib/answer-feed-request.ts';

export const GET: APIRoute = ({ url }) => answerSitemapRequest(url);

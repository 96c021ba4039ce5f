import type { APIRoute } from 'astro';
import { leaveDraftMode } from '../../../lib/draft-mode.ts';

export const GET: APIRoute = ({ cookies }) => {
  leaveDraftMode(cookies);
  return new Response(null, { status: 307, headers: { Location: '/', 'Cache-Control': 'no-store' } });
};

import { draftMode } from 'next/headers';

export async function GET(): Promise<Response> {
  (await draftMode()).disable();
  return new Response(null, { status: 307, headers: { Location: '/', 'Cache-Control': 'no-store' } });
}

// Sets the headers of every page. Next.js would fix headers from next.config.ts when it builds the site.

import { NextResponse } from 'next/server';
import { buildFramePolicy } from './lib/preview-settings.ts';

export function proxy(): NextResponse {
  return NextResponse.next({ headers: { 'Content-Security-Policy': buildFramePolicy() } });
}

export const config = { matcher: '/((?!_next/static/).*)' };

// Sets the headers of every page. Headers in next.config.ts would be fixed when the site is built.

import { NextResponse } from 'next/server';
import { buildFramePolicy } from './lib/preview-settings.ts';

export function proxy(): NextResponse {
  return NextResponse.next({ headers: { 'Content-Security-Policy': buildFramePolicy() } });
}

export const config = { matcher: '/((?!_next/static/).*)' };

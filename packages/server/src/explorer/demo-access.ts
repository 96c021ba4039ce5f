// Who may read the demo's key: the explorer page, in a browser that loaded it from a loopback address.
// Other sites, names that only resolve to this machine (DNS rebinding) and readers behind a proxy get nothing.

import type { IncomingHttpHeaders } from 'node:http';

export interface DemoAccess {
  readonly token: string;
  readonly siteId: string;
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

export function mayReadDemoAccess(headers: IncomingHttpHeaders): boolean {
  if (!LOOPBACK_HOST.test(headers.host ?? '')) return false;
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false;
  // Browsers set it themselves, whatever a page's scripts do.
  return headers['sec-fetch-site'] === 'same-origin';
}

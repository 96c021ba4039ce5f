import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../src/management/route.ts';
import { RESUMABLE_ROUTES, type ResumableRoute } from '../../src/management/routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';
import { checkManagementAnswer } from '../support/management-openapi-check.ts';
import { AUTHORIZATION_EXAMPLES, BEGINNING } from './authorization-examples.ts';
import { type AuthorizationSite, buildAuthorizationSite, type Headers } from './authorization-site.ts';
import { AUTHORIZATION_TABLE, type AuthorizationRow, CALLERS } from './authorization-table.ts';

const RIGHTS_PAGE = new URL('../../../../docs/management/rights.md', import.meta.url);

type AnyRoute = Route | ResumableRoute;

const ROUTES: readonly AnyRoute[] = [...MANAGEMENT_ROUTES, ...RESUMABLE_ROUTES];

function isRead({ method }: AnyRoute): boolean {
  return method === 'GET' || method === 'HEAD';
}

describe('the authorization table', () => {
  test('has a row for every route', () => {
    const missing = ROUTES.filter((route) => findRow(route) === undefined).map(suggestRow);
    expect(missing, 'Check these rows and add them to authorization-table.ts:').toEqual([]);
  });

  test('has no row or example without a route', () => {
    const names = new Set(ROUTES.map(nameRoute));
    const rows = AUTHORIZATION_TABLE.map(([method, path]) => `${method} ${path}`);
    const needless = [...rows, ...Object.keys(AUTHORIZATION_EXAMPLES)].filter((name) => !names.has(name));
    expect(needless, 'Remove these from authorization-table.ts or authorization-examples.ts:').toEqual([]);
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
  });

  test('matches the access rules that the routes declare', () => {
    for (const route of ROUTES) {
      const [, , anonymous, editor, owner, , key, token] = findRow(route) ?? [];
      const mayCall = [anonymous, editor, owner, token].map((status) => status !== 401 && status !== 403);
      const isAnyone = route.who === 'anyone';
      expect([nameRoute(route), ...mayCall]).toEqual([nameRoute(route), isAnyone, route.who !== 'owner', true, true]);
      expect([nameRoute(route), key]).toEqual([nameRoute(route), 401]);
    }
  });

  test('matches docs/management/rights.md', async () => {
    const page = await readFile(RIGHTS_PAGE, 'utf8');
    const withTable = page.replace(/(?:^\|.*\|\n)+/m, () => renderTable());
    // Run `vitest -u` to update the page.
    await expect(withTable).toMatchFileSnapshot(RIGHTS_PAGE.pathname);
  });
});

describe('calls', () => {
  let site: AuthorizationSite;

  beforeAll(async () => {
    site = await buildAuthorizationSite();
  });

  afterAll(() => site.close());

  const rows = ROUTES.flatMap((route) => {
    const row = findRow(route);
    return row === undefined ? [] : [[nameRoute(route), route, row] as const];
  });

  test.each(rows)('%s returns the status in the table to each caller', async (_, route, row) => {
    const expected = readStatuses(row);
    const seen: Record<string, number> = {};
    const bodies: string[] = [];
    for (const caller of CALLERS) {
      const { status, body } = await callExample(route, site, site.callers[caller]);
      if (!isRead(route) && status < 300) await site.restore();
      seen[caller] = status;
      bodies.push(`${caller}: ${status} ${body}`);
    }
    expect(seen, bodies.join('\n')).toEqual(expected);
  });

  test.each(rows)(
    '%s rejects expired tokens and sessions, and sessions without their CSRF token',
    async (_, route, row) => {
      const { anonymous, owner } = readStatuses(row);
      const { revokedToken, expiredSession, sessionWithoutCsrf } = site.callers;
      const revoked = await callExample(route, site, revokedToken);
      expect(revoked.status).toBe(401);
      const isOpen = route.who === 'anyone';
      const withoutCsrf = isOpen ? anonymous : isRead(route) ? owner : 403;
      if (!isOpen || isRead(route)) {
        expect((await callExample(route, site, expiredSession)).status).toBe(anonymous);
        expect((await callExample(route, site, sessionWithoutCsrf)).status).toBe(withoutCsrf);
      }
    },
  );

  test.each(rows)('%s checks the caller before anything else', async (_, route, row) => {
    const expected = readStatuses(row);
    const refused = CALLERS.filter((caller) => expected[caller] === 401 || expected[caller] === 403);
    for (const caller of refused) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'not-there');
      const response = await fetch(`${site.url}/manage/v1${path}?nonsense=1&nonsense=2`, {
        method: route.method,
        headers: { ...site.callers[caller], 'content-type': 'text/plain' },
        ...(isRead(route) ? {} : { body: 'nonsense' }),
      });
      expect([caller, response.status]).toEqual([caller, expected[caller]]);
    }
  });
});

function nameRoute({ method, path }: AnyRoute): string {
  return `${method} ${path}`;
}

function findRow({ method, path }: AnyRoute): AuthorizationRow | undefined {
  return AUTHORIZATION_TABLE.find((row) => row[0] === method && row[1] === path);
}

function readStatuses(row: AuthorizationRow): Readonly<Record<string, number>> {
  const [, , ...statuses] = row;
  return Object.fromEntries(CALLERS.map((caller, index) => [caller, statuses[index] ?? 0]));
}

/** A table row with the statuses that follow from the route's access rules. */
function suggestRow({ method, path, who, status }: AnyRoute): string {
  const editor = who === 'owner' ? 403 : status;
  const anonymous = who === 'anyone' ? status : 401;
  const stranger = path.includes('{') ? 404 : status;
  return `['${method}', '${path}', ${[anonymous, editor, status, stranger, 401, status].join(', ')}],`;
}

function renderTable(): string {
  const head = ['call', 'nobody', 'editor', 'owner', 'owner of another account', 'API key', 'management token'];
  const rows = ROUTES.map((route) => {
    const [, , ...statuses] = findRow(route) ?? [];
    return [`\`${nameRoute(route)}\``, ...statuses];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Begins an upload as the caller. A caller who is not allowed to begin an upload tries to use the owner's. */
async function beginUpload(url: string, caller: Headers, owner: Headers): Promise<string> {
  for (const headers of [caller, owner]) {
    const begun = await fetch(`${url}/manage/v1/sites/s_small/uploads`, {
      method: 'POST',
      headers: { ...headers, ...BEGINNING },
    });
    const location = begun.headers.get('location');
    if (location !== null) return location.slice(location.lastIndexOf('/') + 1);
  }
  throw new Error('The owner could not begin an upload');
}

async function callExample(
  route: AnyRoute,
  { url, ids, callers }: AuthorizationSite,
  headers: Headers,
): Promise<{ readonly status: number; readonly body: string }> {
  const example = AUTHORIZATION_EXAMPLES[nameRoute(route)] ?? {};
  const upload = route.path.includes('{upload}') ? await beginUpload(url, headers, callers.owner) : '';
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = name === 'upload' ? upload : (example.ids?.[name] ?? ids[name]);
    if (id === undefined) throw new Error(`Add an id for {${name}} to authorization-site.ts or to the example`);
    return encodeURIComponent(id);
  });
  const query = example.query === undefined ? '' : `?${example.query}`;
  const raw = example.body instanceof FormData || example.body instanceof Buffer ? example.body : undefined;
  const isJson = example.body !== undefined && raw === undefined;
  const response = await fetch(`${url}/manage/v1${path}${query}`, {
    method: route.method,
    headers: { ...headers, ...example.headers, ...(isJson ? { 'content-type': 'application/json' } : {}) },
    ...(isJson ? { body: JSON.stringify(example.body) } : {}),
    ...(raw === undefined ? {} : { body: raw }),
  });
  const body = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: body === '' ? undefined : JSON.parse(body),
  };
  expect(checkManagementAnswer(route.method, `/manage/v1${path}`, answer)).toEqual([]);
  return { status: response.status, body };
}

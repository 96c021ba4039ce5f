// Runs the panel in a real browser, with a real service and a new database. Console errors, policy violations and requests to other
// hosts are collected in `complaints`; a test fails if it finds any there.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { APIRequestContext, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildSetUpToken } from '../../../server/src/authoring/people/set-up.ts';
import { type BrowserShare, shareBrowser } from '../../../server/test/browser/launch-browser.ts';
import { startService, type TestService } from '../../../server/test/support/service.ts';

export const OWNER = { name: 'Olive Owner', email: 'olive@galley.example', password: 'correct horse battery staple' };
export const EDITOR = { name: 'Edgar Editor', email: 'edgar@galley.example', password: 'another quite long password' };

export interface Panel {
  readonly service: TestService;
  readonly browser: BrowserShare;
  /** All problems so far, on any page. */
  readonly complaints: string[];
  /** Opens a path under /admin in a new browser context without cookies. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Like `open`, but with somebody signed in: by default, the owner. All pages that are opened for a person share one session. */
  openAs(path: string, person?: typeof OWNER, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

type SessionCookies = Awaited<ReturnType<BrowserContext['cookies']>>;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Animations are disabled, because they would only slow the tests down. */
const CONTEXT: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' };
/** Responses that browsers log as errors, such as the 401 for a session request when nobody is signed in. */
const EXPECTED = /status of (401|404|409|412|422|429) /;

export async function startPanel(...parts: Parameters<typeof startService>): Promise<Panel> {
  const service = await startService(...parts);
  const browser = await shareBrowser();
  const complaints: string[] = [];
  const sessions = new Map<string, SessionCookies>();

  /** Signs in only if the person's session has not started or has ended, because the service needs time to check a password. */
  async function resumeSession(context: BrowserContext, person: typeof OWNER): Promise<void> {
    await context.addCookies(sessions.get(person.email) ?? []);
    if ((await context.request.get(`${service.url}/manage/v1/session`)).ok()) return;
    await signIn(context.request, service, person);
    sessions.set(person.email, await context.cookies());
  }

  async function openPage(
    path: string,
    person: typeof OWNER | undefined,
    options: BrowserContextOptions,
  ): Promise<Page> {
    const context = await browser.newContext({ ...CONTEXT, ...options });
    if (person !== undefined) await resumeSession(context, person);
    const page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(`requested ${request.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${service.url}/admin${path}`);
    return page;
  }

  return {
    service,
    browser,
    complaints,
    open: (path = '', options = {}) => openPage(path, undefined, options),
    openAs: (path, person = OWNER, options = {}) => openPage(path, person, options),
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

/** The cookie is stored in the request's browser context. */
export async function signIn(
  request: APIRequestContext,
  { url }: Pick<TestService, 'url'>,
  { email, password }: Pick<typeof OWNER, 'email' | 'password'>,
): Promise<void> {
  const response = await request.post(`${url}/manage/v1/session`, { data: { email, password } });
  if (!response.ok()) throw new Error(`${email} cannot sign in: ${response.status()} ${await response.text()}`);
}

type Headers = Readonly<Record<string, string>>;

/** The owner's session, for calls that do not come from a page. */
const ownerSessions = new WeakMap<TestService, Headers>();

/** Creates the owner through the API, for tests that are not about set-up. */
export async function createOwner({ service }: Pick<Panel, 'service'>): Promise<void> {
  await startOwnerSession(service, '/setup', { ...OWNER, token: buildSetUpToken(service.storage) });
}

/** Calls the management API as the owner would in a browser. */
export async function callAsOwner({ service }: Pick<Panel, 'service'>, path: string, body: object): Promise<unknown> {
  const { email, password } = OWNER;
  const headers = ownerSessions.get(service) ?? (await startOwnerSession(service, '/session', { email, password }));
  const response = await post(service, path, body, headers);
  return response.json();
}

async function startOwnerSession(service: TestService, path: string, body: object): Promise<Headers> {
  const session = await post(service, path, body);
  const started: unknown = await session.json();
  const csrfToken = isSession(started) ? started.csrf_token : '';
  const headers = { cookie: session.headers.get('set-cookie') ?? '', 'x-csrf-token': csrfToken };
  ownerSessions.set(service, headers);
  return headers;
}

function isSession(body: unknown): body is { readonly csrf_token: string } {
  return typeof body === 'object' && body !== null && 'csrf_token' in body;
}

async function post({ url }: TestService, path: string, body: object, headers: Headers = {}): Promise<Response> {
  const response = await fetch(`${url}/manage/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`);
  return response;
}

/** The `region` rule is off, because tooltips and toasts are outside the landmarks, at the end of the page. */
const ALL_RULES = `{
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { region: { enabled: false } },
  resultTypes: ['violations'],
}`;
const LAYOUT_RULES = `{
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { region: { enabled: false }, 'color-contrast': { enabled: false } },
  resultTypes: ['violations'],
}`;
const COLOUR_RULES = `{
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
}`;

const LOOKS = {
  light: { colorScheme: 'light', rules: ALL_RULES },
  'light layout': { colorScheme: 'light', rules: LAYOUT_RULES },
  'dark colours': { colorScheme: 'dark', rules: COLOUR_RULES },
} as const;

/**
 * The violations that axe-core finds on the current page.
 * @param looks by default only the light theme, because another test checks the colours of every screen in both themes
 */
export async function findAxeFaults(
  page: Page,
  looks: readonly (keyof typeof LOOKS)[] = ['light'],
): Promise<readonly string[]> {
  // The page's content security policy does not apply to scripts that tests evaluate.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const faults: string[] = [];
  for (const look of looks) {
    const { colorScheme, rules } = LOOKS[look];
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const found = await page.evaluate<string[]>(`axe.run(document, ${rules}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
    faults.push(...found.map((fault) => `${look}: ${fault}`));
  }
  return faults;
}

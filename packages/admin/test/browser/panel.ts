// The panel in a real browser, on a real service with a fresh database. Whatever the browser complains of while a test runs
// (an error in the console, a broken policy, a request to somewhere else) fails the test that looks at `complaints`.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { APIRequestContext, Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildSetUpToken } from '../../../server/src/authoring/people/set-up.ts';
import { launchBrowser } from '../../../server/test/browser/launch-browser.ts';
import { startService, type TestService } from '../../../server/test/support/service.ts';

export const OWNER = { name: 'Olive Owner', email: 'olive@galley.example', password: 'correct horse battery staple' };
export const EDITOR = { name: 'Edgar Editor', email: 'edgar@galley.example', password: 'another quite long password' };

export interface Panel {
  readonly service: TestService;
  readonly browser: Browser;
  /** What went wrong in any page so far. */
  readonly complaints: string[];
  /** A browser of its own, without anybody's cookies, at the path below /admin. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same, with somebody signed in: the owner, unless another is named. */
  openAs(path: string, person?: typeof OWNER, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Nothing in these tests is about what moves: waiting for it would be all that it does. */
const CONTEXT: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' };
/** Asking who is signed in is answered 401 where nobody is, which browsers write to the console. */
const EXPECTED = /status of (401|404|409|422|429) /;

export async function startPanel(...parts: Parameters<typeof startService>): Promise<Panel> {
  const service = await startService(...parts);
  const browser = await launchBrowser();
  const complaints: string[] = [];

  async function openPage(
    path: string,
    person: typeof OWNER | undefined,
    options: BrowserContextOptions,
  ): Promise<Page> {
    const context = await browser.newContext({ ...CONTEXT, ...options });
    if (person !== undefined) await signIn(context.request, service, person);
    const page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(`asked for ${request.url()}`);
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

/** The cookie stays in the context that the request belongs to. */
export async function signIn(request: APIRequestContext, { url }: TestService, person: typeof OWNER): Promise<void> {
  const { email, password } = person;
  const response = await request.post(`${url}/manage/v1/session`, { data: { email, password } });
  if (!response.ok()) throw new Error(`${email} cannot sign in: ${response.status()} ${await response.text()}`);
}

/** Creates the owner over the API, for tests about something else than the set-up. */
export async function createOwner({ service }: Pick<Panel, 'service'>): Promise<void> {
  await post(service, '/setup', { ...OWNER, token: buildSetUpToken(service.storage) }, {});
}

/** Calls the management API as the owner does in a browser. */
export async function callAsOwner({ service }: Pick<Panel, 'service'>, path: string, body: object): Promise<unknown> {
  const { email, password } = OWNER;
  const session = await post(service, '/session', { email, password }, {});
  const started: unknown = await session.json();
  const csrfToken = isSession(started) ? started.csrf_token : '';
  const headers = { cookie: session.headers.get('set-cookie') ?? '', 'x-csrf-token': csrfToken };
  const response = await post(service, path, body, headers);
  return response.json();
}

function isSession(body: unknown): body is { readonly csrf_token: string } {
  return typeof body === 'object' && body !== null && 'csrf_token' in body;
}

async function post(
  { url }: TestService,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = await fetch(`${url}/manage/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** Tooltips and notices stand outside of the landmarks, at the end of the page. */
const ALL_RULES = `{
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { region: { enabled: false } },
  resultTypes: ['violations'],
}`;
const COLOUR_RULES = `{
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
}`;

const LOOKS = {
  light: { colorScheme: 'light', rules: ALL_RULES },
  dark: { colorScheme: 'dark', rules: ALL_RULES },
  'dark colours': { colorScheme: 'dark', rules: COLOUR_RULES },
} as const;

/**
 * What axe-core finds wrong with the page as it stands.
 * @param looks every screen is looked at in full in both themes by a test of its own; elsewhere the dark one is other colours
 */
export async function findAxeFaults(
  page: Page,
  looks: readonly (keyof typeof LOOKS)[] = ['light', 'dark colours'],
): Promise<readonly string[]> {
  // Scripts of tests are not the page's: its policy does not hold for them.
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

// Malicious content never runs, on any screen. To test the panel's own protection, the pages are opened without their content security
// policy, which would also block such content.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, content, contentType, site } from '../../../server/test/conformance/records.ts';
import { runSql } from '../../../server/test/support/run-sql.ts';
import { callAsOwner, createOwner, OWNER, type Panel, startPanel } from './panel.ts';
import { navigate } from './panel-steps.ts';

const SITE = 's_trap';
const CONTENT = `/sites/${SITE}/content/c_trap`;
const TRAP =
  '<img src=x onerror=harm()><svg onload=harm()></svg><script>harm()</script>' +
  '<iframe srcdoc="<script>parent.harm()</script>"></iframe><a href="javascript:harm()">go</a>';
const VECTOR = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="parent.harm()"><script>parent.harm()</script></svg>`;
const PICTURE = '/trap.svg';
/** The elements that a browser would create from the trap. */
const MADE = 'img[src="x"], svg[onload], iframe, script:not([src]), [onerror], a[href^="javascript:" i]';

/** @param place the name of the value that contains the trap, to identify that value on the page */
const trap = (place: string): string => `${place} ${TRAP}`;

let panel: Panel;
let page: Page;
let harms = 0;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    site(SITE, { name: trap('Site'), languages: ['en', 'fr'], url: 'https://trap.example' }),
    author('u_trap', trap('Author'), {
      site: SITE,
      profile_photo_url: PICTURE,
    }),
    {
      kind: 'asset',
      id: 'a_trap',
      site: SITE,
      name: trap('Asset'),
      description: trap('Description'),
      path: 'trap.svg',
      url: PICTURE,
      extension: 'svg',
      size: 120,
      mime_type: 'image/svg+xml',
      width: 8,
      height: 8,
    },
    contentType(SITE, 'trap', FIELDS, { name: trap('Type'), object_type: 'page' }),
    write('c_linked', 'Linked', {}),
    write('c_trap', 'English', { draft: { name: trap('Changed'), fields: buildValues('Changed') } }),
    write('c_french', 'French', { language: 'fr', translation_of: 'c_trap' }),
  ]);
  // Imports reject pictures like this one, but older data may contain them.
  const picture = `data:image/svg+xml,${encodeURIComponent(VECTOR).replaceAll("'", '%27')}`;
  await runSql(panel.service.storage, `update authors set profile_photo_url = '${picture}'`);
  await runSql(panel.service.storage, `update assets set url = '${picture}'`);
  await callAsOwner(panel, '/keys', { name: trap('Key'), sites: [SITE] });
  await callAsOwner(panel, '/users', { ...OWNER, name: trap('User'), email: 'trap@galley.example', role: 'editor' });
  await callAsOwner(panel, `${CONTENT}/publish`, {});
  await callAsOwner(panel, `/sites/${SITE}/content`, { content_type: 'trap', name: trap('Draft') });
  page = await panel.openAs('/sites', OWNER, { bypassCSP: true });
  await watch(page);
  // The visual editor loads pictures from their original URLs.
  await page.route('https://trap.example/**', (route) => route.abort());
});

afterAll(() => panel.close());

test.each([
  ['/sites', 'Site'],
  [`/sites/${SITE}`, 'Draft'],
  [`/sites/${SITE}/content`, 'French'],
  [CONTENT, 'Help'],
  [`${CONTENT}/history`, 'Summary of Changed'],
  [`${CONTENT}/languages`, 'Summary of French'],
  [`${CONTENT}/links`, 'Linked'],
  [`${CONTENT}/seo`, 'Search description'],
  [`${CONTENT}/api`, 'Summary of Changed'],
  [`/sites/${SITE}/types`, 'Type'],
  [`/sites/${SITE}/types/trap`, 'Field'],
  [`/sites/${SITE}/authors`, 'Author'],
  [`/sites/${SITE}/authors/u_trap`, 'Author'],
  [`/sites/${SITE}/assets`, 'Asset'],
  [`/sites/${SITE}/assets/a_trap`, 'Asset'],
  ['/account/keys', 'Key'],
  ['/account/users', 'User'],
  ['/account/audit', 'Draft'],
])('%s shows malicious content as text', async (path, place) => {
  await navigate(page, path);
  const main = page.getByRole('main');
  await main.getByText(`${place} <img src=x`).first().waitFor();
  expect(await page.locator(MADE).count()).toBe(0);
});

test('does not run malicious content in the visual editor, or in names in dialogs and menus', async () => {
  await page.goto(`${panel.service.url}/admin${CONTENT}`);
  const body = page.getByRole('textbox', { name: /^Body/ });
  await body.getByText('Body of Changed').waitFor();
  await body.getByText('<svg onload="harm()"></svg>').waitFor();
  await body.getByRole('button', { name: 'Edit HTML' }).first().click();
  expect(await page.getByRole('textbox', { name: 'HTML of this block' }).inputValue()).toContain('onerror');
  const link = page.getByRole('textbox', { name: /^Link/ });
  await link.getByRole('button', { name: 'Edit HTML' }).click();
  expect(await link.getByRole('textbox').inputValue()).toContain('javascript:harm()');
  await page.getByRole('button', { name: /^Add links to/ }).click();
  await page.getByRole('checkbox', { name: /^French/ }).waitFor();
  expect(await page.locator(MADE).count()).toBe(0);
});

test('runs no malicious content on any screen, and requests nothing but the picture', () => {
  expect(harms).toBe(0);
  expect(
    panel.complaints.filter((complaint) => !/^requested https:\/\/trap\.example\/x$|ERR_FAILED/.test(complaint)),
  ).toEqual([]);
});

test('malicious content does run when inserted as HTML, unless the content security policy blocks it', async () => {
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(TRAP)})`);
  await expect.poll(() => harms).toBeGreaterThanOrEqual(2);
  expect(await page.locator(MADE).count()).toBeGreaterThan(4);
  const before = harms;
  const strict = await panel.openAs('/sites');
  await watch(strict);
  await strict.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(TRAP)})`);
  await expect.poll(countBreaches).toBeGreaterThanOrEqual(2);
  expect(harms).toBe(before);
});

const FIELDS = [
  { handle: 'summary', name: trap('Field'), help_text: trap('Help'), type: 'text' },
  { handle: 'notes', name: 'Notes', type: 'text', format: 'markdown' },
  { handle: 'body', name: 'Body', type: 'text', format: 'html' },
  { handle: 'link', name: 'Link', type: 'text', format: 'html' },
  { handle: 'choice', name: 'Choice', type: 'option', options: [{ label: trap('Option'), value: 'one' }] },
  { handle: 'points', name: 'Points', type: 'list' },
  { handle: 'pictures', name: 'Pictures', type: 'assets' },
  { handle: 'related', name: 'Related', type: 'content_links' },
];

function write(id: string, name: string, parts: object): object {
  return content({
    id,
    site: SITE,
    content_type: 'trap',
    author: 'u_trap',
    name: trap(name),
    fields: buildValues(name),
    seo: {
      title: trap('Search title'),
      description: trap('Search description'),
      canonical_url: 'javascript:harm()',
      open_graph: { title: trap('Preview title'), image_secure_url: 'javascript:harm()', image_alt: trap('Picture') },
    },
    ...parts,
  });
}

function buildValues(of: string): Readonly<Record<string, object>> {
  return {
    summary: { text: trap(`Summary of ${of}`) },
    notes: { text: `[go](javascript:harm()) ${trap(`Notes of ${of}`)}` },
    body: { text: trap(`Body of ${of}`) },
    link: { text: `<p><a href="javascript:harm()">${of}</a></p>` },
    choice: { selected_option: 'one' },
    points: { list: [trap(`Point of ${of}`)] },
    pictures: { assets: ['a_trap'] },
    ...(of === 'Linked' ? {} : { related: { content_links: ['c_linked'] } }),
  };
}

/** The number of policy violations that the browser has reported. */
function countBreaches(): number {
  return panel.complaints.filter((text) => text.includes('Content Security Policy')).length;
}

/** Starts counting the traps that run on any page in the context. */
async function watch(watched: Page): Promise<void> {
  const count = (): void => {
    harms += 1;
  };
  await watched.context().exposeBinding('harm', count);
  watched.on('dialog', count);
  watched.context().on('page', count);
}

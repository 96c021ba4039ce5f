// The messages between the page and the panel, including those that the page must ignore.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markText } from './mark-text.ts';
import { openPreview, openWorkshop, type Preview, type Workshop } from './open-preview.ts';

/** Shows the name of the content. */
const LIVE = `
  const heading = document.querySelector('h1');
  window.connection = preview.connectPreview({
    panelOrigin,
    contentId: 'c_1',
    onUpdate: (content) => { window.content = content; heading.textContent = content.name; },
  });`;
/** In browsers that follow the current HTML standard, a page does not see the origin of a frame that sends no referrer. */
const HIDDEN_ANCESTORS = "['null']";
const NO_ANCESTORS = 'undefined';
const HEADING = `<h1>${markText('First', 'name')}</h1>`;

function update(content: unknown): object {
  return {
    message: 'service-update-content',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  };
}

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop?.[Symbol.asyncDispose]());

describe('a page in the panel', () => {
  test('announces that it accepts updates, and then that it is loaded', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    expect(await preview.messages()).toEqual([
      'live-preview-enabled',
      { message: 'service-live-preview', marks: true },
      'loaded',
    ]);
    expect(await preview.panel.evaluate('messages.every(({ isPage }) => isPage)')).toBe(true);
    expect(await preview.panel.evaluate('[...new Set(messages.map(({ origin }) => origin))]')).toEqual([
      workshop.website,
    ]);
    expect(preview.complaints).toEqual([]);
  });

  test('shows an update, then reports that it is loaded', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.send(update({ id: 'c_1', name: 'Second' }));
    await preview.page.getByText('Second').waitFor();
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(['loaded']);
  });

  test('answers an update for other content without showing it', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.send(update({ id: 'c_2', name: 'Other' }));
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(['loaded']);
    expect(await readHeading(preview)).toContain('First');
  });

  test('reports that it is loaded only after an asynchronous update has been shown, and skips outdated updates', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: `window.shown = [];
        preview.connectPreview({ panelOrigin, onUpdate: ({ name }) => new Promise((resolve) => {
          shown.push(name);
          window.finish = resolve;
        }) });`,
    });
    for (const name of ['A', 'B', 'C']) await preview.send(update({ id: 'c_1', name }));
    await expect.poll(() => preview.page.evaluate('shown')).toEqual(['A']);
    expect(await preview.messages()).toHaveLength(3);
    await preview.page.evaluate('finish()');
    await expect.poll(() => preview.page.evaluate('shown')).toEqual(['A', 'C']);
    expect((await preview.messages()).slice(3)).toEqual(['loaded']);
  });

  test('reports an error in its own code and shows the next update', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: `preview.connectPreview({ panelOrigin, onUpdate: ({ name }) => {
        if (name === 'bad') throw new Error('Cannot render');
        document.querySelector('h1').textContent = name;
      } });`,
    });
    await preview.send(update({ id: 'c_1', name: 'bad' }));
    await preview.send(update({ id: 'c_1', name: 'good' }));
    await preview.page.getByText('good').waitFor();
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(['loaded']);
    expect(preview.complaints.join()).toContain('Cannot render');
  });

  test('calls onRefresh after a save, and then reports that it is loaded', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: `preview.connectPreview({ panelOrigin, onRefresh: async () => { document.querySelector('h1').textContent = 'Saved'; } });`,
    });
    await preview.send({ message: 'service-refresh-preview' });
    await preview.page.getByText('Saved').waitFor();
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(['loaded']);
  });

  test('shows updates while it reads the saved content, and shows the newest update again afterwards', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: `window.shown = [];
        preview.connectPreview({
          panelOrigin,
          onUpdate: ({ name }) => shown.push(name),
          onRefresh: () => new Promise((resolve) => { window.finish = () => { shown.push('Saved'); resolve(); }; }),
        });`,
    });
    await preview.send(update({ id: 'c_1', name: 'Before' }));
    await preview.send({ message: 'service-refresh-preview' });
    for (const name of ['A', 'B']) {
      await preview.send(update({ id: 'c_1', name }));
      await expect.poll(() => preview.page.evaluate('shown.at(-1)')).toBe(name);
    }
    await preview.page.evaluate('finish()');
    await expect.poll(() => preview.page.evaluate('shown')).toEqual(['Before', 'A', 'B', 'Saved', 'B']);
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(Array(5).fill('loaded'));
  });

  test('keeps the saved content if no update arrives while it is being read', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: `window.shown = [];
        preview.connectPreview({ panelOrigin, onUpdate: ({ name }) => shown.push(name), onRefresh: async () => shown.push('Saved') });`,
    });
    await preview.send(update({ id: 'c_1', name: 'Before' }));
    await preview.send({ message: 'service-refresh-preview' });
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(['loaded', 'loaded']);
    expect(await preview.page.evaluate('shown')).toEqual(['Before', 'Saved']);
  });

  test('reloads itself after a save if it shows no updates', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: 'preview.connectPreview({ panelOrigin });',
    });
    await preview.page.evaluate('window.isOld = true');
    await preview.send({ message: 'service-refresh-preview' });
    await expect.poll(async () => (await preview.messages()).slice(3)).toContainEqual('live-preview-enabled');
    await preview.page.waitForSelector('#ready');
    expect(await preview.page.evaluate('window.isOld')).toBeUndefined();
  });

  test('uses the brand of the installation', async () => {
    await using preview = await openPreview(workshop, {
      body: HEADING,
      script: LIVE.replace('panelOrigin,', "panelOrigin, brand: 'acme', marks: false,"),
    });
    expect(await preview.messages()).toContainEqual({ message: 'acme-live-preview', marks: false });
    await preview.send(update({ id: 'c_1', name: 'For another brand' }));
    await preview.send({ ...update({ id: 'c_1', name: 'Second' }), message: 'acme-update-content' });
    await preview.page.getByText('Second').waitFor();
  });

  test('announces itself again when it navigates, and when the browser goes back', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.page.goto(preview.page.url().replace('.html', '.html?next'));
    await expect.poll(async () => (await preview.messages()).filter((message) => message === 'loaded')).toHaveLength(2);
    await preview.panel.evaluate('history.back()');
    await expect.poll(async () => (await preview.messages()).filter((message) => message === 'loaded')).toHaveLength(3);
  });

  test('stops after it has disconnected', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.page.evaluate('connection.disconnect(); connection.disconnect();');
    await preview.send(update({ id: 'c_1', name: 'Second' }));
    expect(await preview.page.locator('galley-preview').count()).toBe(0);
    expect(await readHeading(preview)).toContain('First');
  });
});

/** Reads the heading once the page has received all messages sent so far. Messages from one window arrive in order. */
async function readHeading({ page, panel }: Preview): Promise<string | null> {
  const arrived = page.evaluate(
    "new Promise((resolve) => addEventListener('message', ({ data }) => data === 'last' && resolve()))",
  );
  await page.evaluate('0');
  await panel.evaluate("page.postMessage('last', '*')");
  await arrived;
  return page.locator('h1').textContent();
}

describe('the page ignores', () => {
  test.each([
    ['text that is not JSON', update('{"id":"c_1"')],
    ['JSON that is not a content object', update('"c_1"')],
    ['JSON null', update('null')],
    ['an object without an ID', update({ name: 'Other' })],
    ['content that is not text', { message: 'service-update-content', content: { id: 'c_1', name: 'Other' } }],
    ['messages of other tools', { type: 'webpackOk' }],
    ['messages with another type', { message: 7, content: '{"id":"c_1","name":"Other"}' }],
    ['null', null],
    ['text', 'service-refresh-preview'],
    ['an edited field without a path', { message: 'service-edited-field', id: 'c_1' }],
    ['an edited field whose path is an object', { message: 'service-edited-field', id: 'c_1', path: {} }],
  ])('%s', async (_title, message) => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.send(message);
    expect(await readHeading(preview)).toContain('First');
    expect(await preview.messages()).toHaveLength(3);
    expect(preview.complaints).toEqual([]);
  });

  test('messages from another frame of the panel', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.panel.evaluate("openFrame('/panel.html', 'sibling')");
    const sibling = await (await preview.panel.waitForSelector('#sibling')).contentFrame();
    await expect.poll(() => sibling?.evaluate('typeof messages')).toBe('object');
    await sibling?.evaluate(`parent.page.postMessage(${JSON.stringify(update({ id: 'c_1', name: 'Forged' }))}, '*')`);
    expect(await readHeading(preview)).toContain('First');
  });

  test('messages from the page itself', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.page.evaluate(`postMessage(${JSON.stringify(update({ id: 'c_1', name: 'Forged' }))}, '*')`);
    expect(await readHeading(preview)).toContain('First');
  });

  test('an opener on another origin, and sends it nothing', async () => {
    const { stranger } = workshop;
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE, opener: stranger, isTab: true });
    await preview.send(update({ id: 'c_1', name: 'Forged' }));
    await preview.send({ message: 'service-edited-field', id: 'c_1', path: 'name' });
    expect(await readHeading(preview)).toContain('First');
    expect(await preview.page.locator('galley-preview').count()).toBe(0);
    expect(await preview.messages()).toEqual([]);
  });

  test.each([
    ['', undefined],
    [', in a browser without a list of ancestors', NO_ANCESTORS],
    [', in a browser that hides the origins of ancestors', HIDDEN_ANCESTORS],
  ])('a parent on another origin, and sends it nothing%s', async (_title, ancestors) => {
    const body = `<a href="#next">${markText('First', 'name')}</a>${HEADING}`;
    const { stranger } = workshop;
    await using preview = await openPreview(workshop, { body, script: LIVE, opener: stranger, ancestors });
    await preview.send(update({ id: 'c_1', name: 'Forged' }));
    await preview.send({ message: 'service-edited-field', id: 'c_1', path: 'name' });
    expect(await readHeading(preview)).toContain('First');
    expect(await preview.page.locator('galley-preview').count()).toBe(0);
    await preview.page.locator('a').click();
    await expect.poll(() => preview.page.url()).toContain('#next');
    expect(await preview.messages()).toEqual([]);
  });
});

test('an update cannot change prototypes', async () => {
  await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
  await preview.send(
    update('{"id":"c_1","name":"Second","__proto__":{"isAdmin":true},"fields":{"__proto__":{"isAdmin":true}}}'),
  );
  await preview.page.getByText('Second').waitFor();
  expect(
    await preview.page.evaluate(
      '[Object.assign({}, content).isAdmin, Object.assign({}, content.fields).isAdmin, ({}).isAdmin, Object.hasOwn(content, "__proto__")]',
    ),
  ).toEqual([undefined, undefined, undefined, false]);
});

describe.each([
  ['a tab that the panel opened', { isTab: true }],
  ['a frame in a browser without a list of ancestors', { ancestors: NO_ANCESTORS }],
  ['a frame in a browser that hides the origins of ancestors', { ancestors: HIDDEN_ANCESTORS }],
])('%s', (_title, setup) => {
  test('receives updates, and can be edited after the first message', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE, ...setup });
    expect(await preview.page.locator('galley-preview').count()).toBe(0);
    await preview.send(update({ id: 'c_1', name: markText('Second', 'name') }));
    await preview.page.locator('h1', { hasText: 'Second' }).click();
    await expect
      .poll(() => preview.messages())
      .toContainEqual({ message: 'service-edit-field', id: 'c_1', path: 'name', language: 'en' });
  });
});

test('a page that is neither in a frame nor opened by another page stays unchanged', async () => {
  await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
  const page = await preview.context.newPage();
  await page.goto(preview.page.url());
  await page.waitForSelector('#ready');
  expect(await page.locator('galley-preview').count()).toBe(0);
  await page.evaluate('connection.disconnect()');
});

test('the fixture page without the library shows updates and counts refreshes', async () => {
  const fixture = join(import.meta.dirname, '../../../admin/test/browser/fixtures/protocol-only-page.html');
  await workshop.project.write({ 'protocol-only.html': await readFile(fixture, 'utf8') });
  await using preview = await openPreview(workshop, { body: '', script: '' });
  await preview.page.goto(`${workshop.website}/protocol-only.html?panel=${encodeURIComponent(workshop.panel)}`);
  await expect.poll(() => preview.messages()).toEqual(['live-preview-enabled', 'loaded']);
  await preview.send(update({ id: 'c_1', name: 'Second', fields: { intro: { type: 'text', text: 'Hello' } } }));
  await preview.page.locator('dd', { hasText: 'Hello' }).waitFor();
  expect(await preview.page.locator('h1').textContent()).toBe('Second');
  await preview.send({ message: 'service-refresh-preview' });
  await expect.poll(() => preview.page.locator('output').textContent()).toBe('1');
  await expect.poll(() => preview.messages()).toEqual(['live-preview-enabled', 'loaded', 'loaded', 'loaded']);
});

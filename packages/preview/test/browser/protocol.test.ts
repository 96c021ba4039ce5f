// The messages between the page and the panel, including those that the page must ignore.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markText } from './mark-text.ts';
import { openPreview, openWorkshop, type Workshop } from './open-preview.ts';

/** Shows the name of the content. */
const LIVE = `
  const heading = document.querySelector('h1');
  window.connection = preview.connectPreview({
    panelOrigin,
    contentId: 'c_1',
    onUpdate: (content) => { window.content = content; heading.textContent = content.name; },
  });`;
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
  test('announces itself, first that it takes updates, then that it is loaded', async () => {
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

  test('shows an update, then says that it is loaded', async () => {
    await using preview = await openPreview(workshop, { body: HEADING, script: LIVE });
    await preview.send(update({ id: 'c_1', name: 'Second' }));
    await preview.page.getByText('Second').waitFor();
    await expect.poll(async () => (await preview.messages()).slice(3)).toEqual(['loaded']);
  });
});

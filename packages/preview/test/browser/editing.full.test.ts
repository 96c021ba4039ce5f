// Outlines, clicks and the edit button.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markText } from './mark-text.ts';
import { openPreview, openWorkshop, type Preview, type Workshop } from './open-preview.ts';

const CONNECT = 'window.connection = preview.connectPreview({ panelOrigin, onUpdate() {} });';
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const ARTICLE = `
  <h1>${markText('The ferry', 'name')}</h1>
  <p id="intro">Plain <b>bold</b> <a href="#there">a link</a> ${markText('and the end', 'fields.intro')}</p>
  <section><div><p id="nested">${markText('Deep', 'fields.body.blocks[0].fields.items.blocks[2].fields.text')}</p></div></section>
  <figure><img alt="${markText('A boat', 'fields.cover.assets[0].description')}" src="${PIXEL}" width="90" height="60">
    <figcaption>${markText('Caption', 'fields.caption')}</figcaption></figure>
  <p id="line"><span>${markText('Ann', 'name', 'c_2')}</span> wrote ${markText('in Oslo', 'fields.place')} and ${markText('Bergen', 'fields.other_place')}</p>
  <p id="rank" data-galley-edit="c_1 fields.rank en">7</p>
  <div data-galley-edit="c_1 fields.text en" id="text"><p id="one">${markText('One', 'fields.text')}</p><p id="two">Two</p></div>
  <p id="none">Not editable <a href="#elsewhere">elsewhere</a></p>
  <label>Search <input value="x"></label>
  <script type="application/json">${markText('{"name":"The ferry"', 'name')}}</script>`;

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop?.[Symbol.asyncDispose]());

function openArticle(): Promise<Preview> {
  return openPreview(workshop, { body: ARTICLE, script: CONNECT });
}

/** The fields that the page has asked the panel to open, in order. */
async function readEdits({ messages }: Preview): Promise<readonly string[]> {
  return (await messages()).flatMap((message) =>
    typeof message === 'object' && message !== null && 'path' in message && 'id' in message
      ? [`${message.id} ${message.path}`]
      : [],
  );
}

/** The position of a visible outline relative to an element, in whole pixels: the space on each side. */
function measureOutline({ page }: Preview, selector: string, outline = 'div:not(.edited)'): Promise<unknown> {
  return page.evaluate(`(() => {
    const box = document.querySelector('galley-preview').shadowRoot.querySelector('${outline}')?.getBoundingClientRect();
    const around = document.querySelector('${selector}').getBoundingClientRect();
    return box && box.width > 0 && [around.left - box.left, around.top - box.top, box.right - around.right, box.bottom - around.bottom].map(Math.round);
  })()`);
}

const CLOSE = [6, 6, 6, 6];

describe('a click', () => {
  test.each([
    ['a heading', 'h1', 'c_1 name'],
    ['a bold word', '#intro b', 'c_1 fields.intro'],
    ['a link in editable text', '#intro a', 'c_1 fields.intro'],
    ['a nested block', '#nested', 'c_1 fields.body.blocks[0].fields.items.blocks[2].fields.text'],
    ['a picture', 'img', 'c_1 fields.cover.assets[0].description'],
    ['a caption', 'figcaption', 'c_1 fields.caption'],
    ['linked content', '#line span', 'c_2 name'],
    ['a number', '#rank', 'c_1 fields.rank'],
    ['a paragraph without a mark in marked text', '#two', 'c_1 fields.text'],
  ])('on %s opens its field', async (_title, selector, edit) => {
    await using preview = await openArticle();
    await preview.page.locator(selector).click();
    await expect.poll(() => readEdits(preview)).toEqual([edit]);
    expect(preview.page.url()).not.toContain('#');
    expect(preview.complaints).toEqual([]);
  });

  test('reports the language', async () => {
    await using preview = await openArticle();
    await preview.page.locator('#rank').click();
    await expect
      .poll(() => preview.messages())
      .toContainEqual({ message: 'service-edit-field', id: 'c_1', path: 'fields.rank', language: 'en' });
  });

  test('on one of several marked passages in a paragraph opens the field for that passage', async () => {
    await using preview = await openArticle();
    const line = preview.page.locator('#line');
    for (const word of ['in Oslo', 'Bergen', 'Ann']) {
      const [x = 0, y = 0] = await preview.page.evaluate<number[]>(`(() => {
        const line = document.querySelector('#line');
        const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        while (!texts.nextNode().data.includes('${word}')) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, texts.currentNode.data.indexOf('${word}'));
        range.setEnd(texts.currentNode, range.startOffset + ${word.length});
        const [box, around] = [range, line].map((place) => place.getBoundingClientRect());
        return [box.x + box.width / 2 - around.x, box.y + box.height / 2 - around.y];
      })()`);
      await line.click({ position: { x, y } });
    }
    await expect.poll(() => readEdits(preview)).toEqual(['c_1 fields.place', 'c_1 fields.other_place', 'c_2 name']);
  });

  test('elsewhere works as usual', async () => {
    await using preview = await openArticle();
    await preview.page.locator('input').click();
    await preview.page.locator('#none a').click();
    await expect.poll(() => preview.page.url()).toContain('#elsewhere');
    expect(await readEdits(preview)).toEqual([]);
  });

  test('with Ctrl or Cmd follows the link in the same window', async () => {
    await using preview = await openArticle();
    await preview.page.locator('#intro a').click({ modifiers: ['ControlOrMeta'] });
    await expect.poll(() => preview.page.url()).toContain('#there');
    expect(preview.context.pages()).toHaveLength(1);
    expect(await readEdits(preview)).toEqual([]);
  });

  test('with the keyboard follows the link', async () => {
    await using preview = await openArticle();
    await preview.page.locator('#intro a').press('Enter');
    await expect.poll(() => preview.page.url()).toContain('#there');
    expect(await readEdits(preview)).toEqual([]);
  });

  test('is reported once if several parts of the page are connected', async () => {
    await using preview = await openPreview(workshop, { body: ARTICLE, script: `${CONNECT}\n${CONNECT}` });
    await preview.page.evaluate('connection.disconnect()');
    await preview.page.locator('h1').click();
    await preview.page.locator('#rank').click();
    await expect.poll(() => readEdits(preview)).toEqual(['c_1 name', 'c_1 fields.rank']);
  });

  test('does nothing without marks', async () => {
    const script = 'preview.connectPreview({ panelOrigin, marks: false, onUpdate() {} });';
    await using preview = await openPreview(workshop, { body: ARTICLE, script });
    await preview.page.locator('#intro a').click();
    await expect.poll(() => preview.page.url()).toContain('#there');
    expect(await readEdits(preview)).toEqual([]);
  });
});

describe('an outline', () => {
  test('appears around the field under the pointer and does not change the layout', async () => {
    await using preview = await openArticle();
    const before = await preview.page.evaluate(
      '[document.documentElement.scrollHeight, document.documentElement.scrollWidth]',
    );
    await preview.page.locator('h1').hover();
    await expect.poll(() => measureOutline(preview, 'h1')).toEqual(CLOSE);
    await preview.page.locator('#two').hover();
    await expect.poll(() => measureOutline(preview, '#text')).toEqual(CLOSE);
    await preview.page.locator('#none').hover();
    await expect.poll(() => measureOutline(preview, 'h1')).toBe(false);
    expect(
      await preview.page.evaluate('[document.documentElement.scrollHeight, document.documentElement.scrollWidth]'),
    ).toEqual(before);
    expect(preview.complaints).toEqual([]);
  });

  test('follows scrolling and resizing', async () => {
    await using preview = await openArticle();
    await preview.send({ message: 'service-edited-field', id: 'c_1', path: 'fields.caption' });
    await expect.poll(() => measureOutline(preview, 'figcaption', '.edited')).toEqual(CLOSE);
    await preview.panel.evaluate("Object.assign(document.querySelector('#page'), { width: 300, height: 200 })");
    await preview.page.evaluate('scrollTo(0, 60)');
    await expect.poll(() => preview.page.evaluate('[innerWidth, scrollY]')).toEqual([300, 60]);
    await expect.poll(() => measureOutline(preview, 'figcaption', '.edited')).toEqual(CLOSE);
  });

  test('surrounds the field that is being edited, even after the page has replaced the element', async () => {
    await using preview = await openArticle();
    await preview.send({ message: 'service-edited-field', id: 'c_1', path: 'name' });
    await expect.poll(() => measureOutline(preview, 'h1', '.edited')).toEqual(CLOSE);
    await preview.page.evaluate(`document.querySelector('h1').replaceWith(document.createElement('h1'))`);
    await expect.poll(() => measureOutline(preview, 'h1', '.edited')).toBeUndefined();
    await preview.page.evaluate(`document.querySelector('h1').append(${JSON.stringify(markText('New', 'name'))})`);
    await expect.poll(() => measureOutline(preview, 'h1', '.edited')).toEqual(CLOSE);
    await preview.send({ message: 'service-edited-field', id: 'c_1', path: null });
    await expect.poll(() => measureOutline(preview, 'h1', '.edited')).toBeUndefined();
  });

  test.each([
    ['a part of it', 'fields.cover', 'img'],
    ['the field around it', 'fields.text.blocks[0].fields.title', '#text'],
  ])('surrounds %s if the page does not show the edited field itself', async (_title, path, selector) => {
    await using preview = await openArticle();
    await preview.send({ message: 'service-edited-field', id: 'c_1', path });
    await expect.poll(() => measureOutline(preview, selector, '.edited')).toEqual(CLOSE);
    expect(await preview.page.locator('.edited').count()).toBe(1);
  });

  test('brings the edited field into view', async () => {
    const body = `${ARTICLE}${'<br>'.repeat(200)}<p id="last">${markText('Last', 'fields.last')}</p>`;
    await using preview = await openPreview(workshop, { body, script: CONNECT });
    await preview.send({ message: 'service-edited-field', id: 'c_1', path: 'fields.last' });
    await expect.poll(() => measureOutline(preview, '#last', '.edited')).toEqual(CLOSE);
    await expect.poll(() => preview.page.evaluate('scrollY')).toBeGreaterThan(1000);
  });

  test('stays if the page replaces its whole body', async () => {
    await using preview = await openArticle();
    await preview.page.evaluate(`{
      const body = document.createElement('body');
      body.append(...document.body.childNodes);
      document.documentElement.replaceChildren(document.head, body);
    }`);
    await expect.poll(() => preview.page.locator('galley-preview').count()).toBe(1);
    await preview.page.locator('h1').hover();
    await expect.poll(() => measureOutline(preview, 'h1')).toEqual(CLOSE);
  });
});

describe('the edit button', () => {
  test('appears when the pointer is over a field, and opens that field', async () => {
    await using preview = await openArticle();
    await preview.page.locator('#nested').hover();
    await preview.page.getByRole('button', { name: 'Edit text', exact: true }).click();
    await expect
      .poll(() => readEdits(preview))
      .toEqual(['c_1 fields.body.blocks[0].fields.items.blocks[2].fields.text']);
  });

  test('appears when a link in editable text has the focus', async () => {
    await using preview = await openArticle();
    await preview.page.locator('#intro a').focus();
    await preview.page.getByRole('button', { name: 'Edit intro' }).click();
    await expect.poll(() => readEdits(preview)).toEqual(['c_1 fields.intro']);
  });

  test('is a single tab stop, and the arrow keys move it from field to field', async () => {
    await using preview = await openArticle();
    await preview.page.locator('input').focus();
    await preview.panel.keyboard.press('Tab');
    for (const key of ['Enter', 'ArrowDown', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter'])
      await preview.panel.keyboard.press(key);
    await expect.poll(() => readEdits(preview)).toEqual(['c_1 name', 'c_1 fields.intro', 'c_1 fields.text']);
  });
});

test('the title of the document has no marks', async () => {
  await using preview = await openArticle();
  await preview.page.evaluate(`document.title = ${JSON.stringify(markText('The ferry', 'name'))}`);
  await expect.poll(() => preview.page.evaluate('document.title')).toBe('The ferry');
});

test('thousands of changes in one task cause one search for the edited field', async () => {
  const body = Array.from(
    { length: 5000 },
    (_, index) => `<p>${markText('Text', `fields.texts.list[${index}]`)}</p>`,
  ).join('');
  await using preview = await openPreview(workshop, { body, script: CONNECT });
  await preview.send({ message: 'service-edited-field', id: 'c_1', path: 'fields.texts.list[4]' });
  await expect.poll(() => measureOutline(preview, 'p:nth-of-type(5)', '.edited')).toEqual(CLOSE);
  await preview.page.evaluate(`{
    const original = document.createTreeWalker;
    window.searches = 0;
    document.createTreeWalker = (...args) => { searches++; return original.apply(document, args); };
    window.change = () => { for (const paragraph of document.querySelectorAll('p')) paragraph.firstChild.data += '!'; };
  }`);
  for (const searches of [1, 2, 3]) {
    await preview.page.evaluate('change()');
    await expect.poll(() => preview.page.evaluate('searches')).toBe(searches);
  }
});

// Displays SVG files in a real browser: as images, inlined by a script, and inlined in a served page. A file that the service
// accepts must not run code or fetch anything, and must yield the same picture whether it is parsed as XML or as HTML.

import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSvgFaults } from '../../src/content/find-svg-faults.ts';
import { NAMESPACES } from '../../src/content/svg-allow-list.ts';
import {
  encodePicture,
  FALSE_BLANKS,
  HOSTILE_ADDRESSES,
  HOSTILE_PICTURES,
  ORDINARY_PICTURES,
} from '../../src/content/svg-pictures.fixture.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { type BrowserShare, shareBrowser } from './launch-browser.ts';

const SITE = 's_pictures';
const SEED = 18;
const ORIGIN = 'http://site.test';
/** Records calls to `alert`. */
const WATCH = '<script>window.ran = false; window.alert = () => { window.ran = true; };</script>';

/**
 * The places in which a picture is displayed: inlined in a served page, inserted by a script with `innerHTML`, or as an
 * image.
 */
const PLACES = ['served', 'script', 'image'];

/** Shows a picture in each place, waits until all images have loaded or failed, and returns whether code ran. */
const SHOW = `async ({ place, source, address }) => {
  if (place === 'script') document.querySelector('div').innerHTML = source;
  if (place === 'image') document.querySelector('img').src = address;
  const pending = [...document.querySelectorAll('img')].filter((image) => !image.complete);
  await Promise.all(
    pending.map((image) => new Promise((resolve) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', resolve);
    })),
  );
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return window.ran;
}`;

/** Returns the tree that each parser builds from the pictures: names, namespaces, attributes and text. */
const READ_TREES = `(sources) => {
  const describeNode = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (node.nodeType !== Node.ELEMENT_NODE) return '{' + node.nodeName + '}';
    const attributes = [...node.attributes]
      .filter(({ name }) => !name.startsWith('xmlns'))
      // XML parsers replace line breaks in attribute values with spaces; HTML parsers recognise only the prefixes xlink and xml.
      .map(({ localName, value }) => localName.replace(/^.*:/, '') + '=' + value.replace(/[\\t\\n\\r]/g, ' '));
    const inner = [...node.childNodes].map(describeNode).join('');
    return '<' + [node.namespaceURI, node.localName, ...attributes.sort()].join(' ') + '>' + inner + '</>';
  };
  return sources.map((source) => {
    const html = new DOMParser().parseFromString('<!doctype html><body>' + source, 'text/html');
    // An HTML parser turns an XML declaration into a comment.
    const nodes = [...html.body.childNodes].filter((node) => node.nodeType !== Node.COMMENT_NODE);
    const xml = new DOMParser().parseFromString(source, 'image/svg+xml');
    return { asHtml: nodes.map(describeNode).join('').trim(), asXml: describeNode(xml.documentElement) };
  });
}`;

let browser: BrowserShare;
let manager: Manager;
let page: Page;
/** The responses served at `ORIGIN`, by path. */
const pages = new Map<string, string>();
let fetched: string[] = [];

beforeAll(async () => {
  manager = await startManager();
  await manager.expectOk('POST', '/sites', { id: SITE, name: 'Pictures' });
  browser = await shareBrowser();
  page = await browser.newPage();
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    const body = url.origin === ORIGIN ? pages.get(url.pathname) : undefined;
    if (body === undefined) fetched.push(url.href);
    return body === undefined ? route.abort() : route.fulfill({ contentType: 'text/html; charset=utf-8', body });
  });
});

afterAll(async () => {
  await browser?.close();
  await manager?.close();
});

/** Whether the service accepts the picture as an asset. */
async function isTaken(address: string): Promise<boolean> {
  const answer = await manager.call('POST', `/sites/${SITE}/assets`, { body: { name: 'Picture', url: address } });
  expect([201, 422]).toContain(answer.status);
  return answer.status === 201;
}

interface Shown {
  /** The places in which code ran. */
  readonly ran: readonly string[];
  /** The network requests that the picture made. */
  readonly fetched: readonly string[];
}

async function show(source: string, places: readonly string[] = PLACES): Promise<Shown> {
  fetched = [];
  pages.set('/served', `<!doctype html>${WATCH}<body>${source}</body>`);
  pages.set('/script', `<!doctype html>${WATCH}<body><div></div></body>`);
  pages.set('/image', `<!doctype html>${WATCH}<body><img></body>`);
  const ran: string[] = [];
  for (const place of places) {
    await page.goto(`${ORIGIN}/${place}`);
    const hasRun = await page.evaluate(
      `(${SHOW})(${JSON.stringify({ place, source, address: encodePicture(source) })})`,
    );
    if (hasRun === true) ran.push(place);
  }
  return { ran, fetched };
}

interface Trees {
  readonly asHtml: string;
  readonly asXml: string;
}

async function readTrees(sources: readonly string[]): Promise<readonly Trees[]> {
  return asTrees(await page.evaluate(`(${READ_TREES})(${JSON.stringify(sources)})`));
}

function asTrees(value: unknown): readonly Trees[] {
  return value as readonly Trees[];
}

describe('an SVG file cannot run code, wherever a site displays it', () => {
  test('a hostile file is rejected', async () => {
    const addresses = [
      ...HOSTILE_PICTURES.map(([, source]) => encodePicture(source)),
      ...HOSTILE_ADDRESSES.map(([, each]) => each),
    ];
    expect(addresses.length).toBeGreaterThan(100);
    // Some requests, such as one with a NUL character, are rejected before the service inspects the picture.
    for (const address of addresses) expect([address, await isTaken(address)]).toEqual([address, false]);
  });

  test('many of these files would run code in this browser if they were not rejected', async () => {
    const running: string[] = [];
    for (const [name, source] of HOSTILE_PICTURES) {
      const { ran } = await show(source, ['served']);
      if (ran.length > 0) running.push(name);
    }
    expect(running).toContain('a comment that ends earlier in HTML');
    expect(running).toContain('onload in a value after U+a0');
    expect(running.length).toBeGreaterThan(30);
  });

  test('an ordinary picture is accepted and displayed, runs no code and fetches nothing', async () => {
    for (const [name, source] of ORDINARY_PICTURES) {
      expect([name, await isTaken(encodePicture(source))]).toEqual([name, true]);
      expect([name, await show(source)]).toEqual([name, { ran: [], fetched: [] }]);
      const isShown = await page.evaluate("document.querySelector('img').naturalWidth > 0");
      expect([name, isShown]).toEqual([name, true]);
    }
  });

  test('an accepted picture is parsed identically as XML and as HTML', async () => {
    await page.goto('about:blank');
    const taken = [...drawFromPieces(30_000), ...drawMutations(4000)].filter(
      (each) => findSvgFaults(each).length === 0,
    );
    expect(taken.length).toBeGreaterThan(1000);
    const sources = [...ORDINARY_PICTURES.map(([, source]) => source), ...taken];
    const trees = await readTrees(sources);
    expect(sources.filter((_, index) => trees[index]?.asHtml !== trees[index]?.asXml)).toEqual([]);
  });
});

/** Random combinations of pieces from ordinary and hostile files. */
function drawFromPieces(count: number): readonly string[] {
  const hostile = HOSTILE_PICTURES.flatMap(([, source]) => source.match(/<[^<>]*>|[^<>]+|[<>]/g) ?? []);
  const ordinary = ORDINARY_PICTURES.flatMap(([, source]) => source.match(/<[^<>]*>|[^<>]+/g) ?? []);
  const piece = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...hostile) },
    { weight: 3, arbitrary: fc.constantFrom(...ordinary) },
    {
      weight: 3,
      arbitrary: fc.constantFrom('<g>', '</g>', '<title>', '</title>', '<desc>x</desc>', '<path d="M0 0"/>'),
    },
  );
  const namespaces = [...NAMESPACES]
    .filter(([name]) => name !== 'xmlns:xml')
    .map(([name, value]) => `${name}="${value}"`);
  return fc
    .sample(fc.array(piece, { maxLength: 6 }), { numRuns: count, seed: SEED })
    .map((parts) => `<svg ${namespaces.join(' ')}>${parts.join('')}</svg>`);
}

/** Ordinary files with a few characters changed. */
function drawMutations(count: number): readonly string[] {
  const change = fc.record({
    place: fc.nat(),
    removed: fc.nat({ max: 3 }),
    added: fc.constantFrom(
      ...'<>"\'=/ &;#!-[]x?\n:()',
      '',
      '/>',
      '&lt;',
      '&#60;',
      '<g>',
      '</g>',
      ' id="x"',
      ...FALSE_BLANKS,
    ),
  });
  const mutation = fc.tuple(
    fc.nat({ max: ORDINARY_PICTURES.length - 1 }),
    fc.array(change, { minLength: 1, maxLength: 3 }),
  );
  return fc.sample(mutation, { numRuns: count, seed: SEED }).map(([index, changes]) => {
    let source = ORDINARY_PICTURES[index]?.[1] ?? '';
    for (const { place, removed, added } of changes) {
      const at = place % source.length;
      source = `${source.slice(0, at)}${added}${source.slice(at + removed)}`;
    }
    return source;
  });
}

import { describe, expect, test } from 'vitest';
import { findDataSvgFaults, findSvgFaults, seemsToRunCode } from './find-svg-faults.ts';
import {
  encodePicture,
  FALSE_BLANKS,
  HOSTILE_ADDRESSES,
  HOSTILE_PICTURES,
  ORDINARY_PICTURES,
} from './svg-pictures.fixture.ts';

test.each(ORDINARY_PICTURES)('accepts an ordinary picture: %s', (_, source) => {
  expect(findSvgFaults(source)).toEqual([]);
});

describe('a hostile picture', () => {
  test.each(HOSTILE_PICTURES)('is rejected with a reason: %s', (_, source, reason) => {
    expect(findSvgFaults(source).join('\n')).toContain(reason);
  });

  test.each(HOSTILE_ADDRESSES)('is rejected in a URL with %s', (_, address) => {
    expect(findDataSvgFaults(address)).not.toEqual([]);
  });
});

test.each([
  ['<?xml version="1.0"_?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['<?xml_version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['_<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>_'],
  ['<svg_xmlns="http://www.w3.org/2000/svg"/>'],
  ['<svg xmlns_="http://www.w3.org/2000/svg"/>'],
  ['<svg xmlns=_"http://www.w3.org/2000/svg"/>'],
  ['<svg xmlns="http://www.w3.org/2000/svg"_/>'],
  ['<svg xmlns="http://www.w3.org/2000/svg"></svg_>'],
  ['<svg xmlns="http://www.w3.org/2000/svg" style="_fill:red"/>'],
  ['<svg xmlns="http://www.w3.org/2000/svg" fill="url(_#a_)"/>'],
  ['<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/png;base64,_"/></svg>'],
])('rejects characters that only JavaScript treats as whitespace, in place of _ in %s', (pattern) => {
  expect(findSvgFaults(pattern.replaceAll('_', ' '))).toEqual([]);
  for (const blank of FALSE_BLANKS) {
    expect([blank, findSvgFaults(pattern.replaceAll('_', blank))]).not.toEqual([blank, []]);
  }
});

test('rejects a reference to a character that does not exist', () => {
  expect(findSvgFaults('<svg xmlns="http://www.w3.org/2000/svg"><text>&#x110000;</text></svg>')).not.toEqual([]);
});

describe('code in a picture', () => {
  test.each(FALSE_BLANKS)('is detected after %j, which is not whitespace in HTML', (blank) => {
    expect(seemsToRunCode(encodePicture(`<svg id=${blank}"a onload=alert(1) b"/>`))).toBe(true);
  });

  test.each([
    '<a href="java&#9;script:alert(1)"/>',
    '<a href="java\nscript:alert(1)"/>',
    '<a href="javascript&colon;alert(1)"/>',
    '<a href="java&Tab;script:alert(1)"/>',
    '<a href="&#106avascript:alert(1)"/>',
    '<a href="&#X6A;avascript:alert(1)"/>',
    '<a href="&#x000000000006A;avascript:alert(1)"/>',
    '<é:script xmlns:é="http://www.w3.org/2000/svg">alert(1)</é:script>',
  ])('is detected: %s', (inner) => {
    expect(seemsToRunCode(encodePicture(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`))).toBe(true);
  });

  test('is not reported if there is none', () => {
    const source = '<svg><!-- drawn --><text>&nbsp;on the script &amp; &#169;</text></svg>';
    expect(seemsToRunCode(encodePicture(source))).toBe(false);
  });
});

test('reports all faults together, in short messages', () => {
  const source = `<svg xmlns="http://www.w3.org/2000/svg"><!-- x --><script/><g onclick="x" style="top:0"/></svg>`;
  expect(findSvgFaults(source)).toEqual([
    'must not contain comments (<!-- … -->)',
    'must not contain a <script> element',
    'must not have the attribute onclick on <g>',
    'must not set top in style on <g>',
  ]);
  const many = `<svg xmlns="http://www.w3.org/2000/svg">${Array.from({ length: 500 }, (_, index) => `<x${index}/>`).join('')}</svg>`;
  expect(findSvgFaults(many)).toHaveLength(20);
  expect(findSvgFaults(`<svg ${'x'.repeat(50_000)}="1"/>`).join('').length).toBeLessThan(1000);
});

test.each(['<svg '.repeat(2000), `<svg${' '.repeat(2000)}`, `<svg a="${'&'.repeat(2000)}`, '('.repeat(2000)])(
  'rejects hostile text: %.9s…',
  (source) => {
    expect(findSvgFaults(source)).not.toEqual([]);
  },
);

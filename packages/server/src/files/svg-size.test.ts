import { expect, test } from 'vitest';
import { sanitiseSvg } from './sanitise-svg.ts';
import { readSvgSize } from './svg-size.ts';

test.each([
  ['width="300" height="200"', 300, 200],
  ['width=" 300px " height="2e2"', 300, 200],
  ['width="1in" height="2.54cm"', 96, 96],
  ['width="72pt" height="6pc"', 96, 96],
  ['width="300" height="200" viewBox="0 0 1 1"', 300, 200],
  ['viewBox="0 0 300.4 200"', 300, 200],
  ['viewBox="-10,-10,300,200"', 300, 200],
  ['width="100%" height="100%" viewBox="0 0 300 200"', 300, 200],
  ['width="150" viewBox="0 0 300 200"', 150, 100],
  ['height="100" viewBox="0 0 300 200"', 150, 100],
  ['stroke-width="5" viewBox="0 0 300 200"', 300, 200],
  ['id="a &gt; b" width="300" height="200"', 300, 200],
  ['', null, null],
  ['width="300"', null, null],
  ['width="0" height="0"', null, null],
  ['width="-3" height="-2"', null, null],
  ['width="1e9" height="1"', null, null],
  ['width="10em" height="10em"', null, null],
  ['width="Infinity" height="NaN"', null, null],
  ['viewBox="0 0 300"', null, null],
  ['viewBox="0 0 0 200"', null, null],
  ['width=".5in" height="1.5e2px"', 48, 150],
  ['width="1." height="1"', null, null],
])('<svg %s> is %s × %s', (attributes, width, height) => {
  const svg = sanitiseSvg(`<svg ${attributes}><rect width="7" height="7"/></svg>`);
  if (!svg.ok) throw new Error(svg.problem);
  expect(readSvgSize(svg.value)).toEqual({ width, height });
});

test('ignores a size that is endless', () => {
  const endless = '1'.repeat(10_000);
  expect(readSvgSize(`<svg width="${endless}!" height="${endless}">`)).toEqual({ width: null, height: null });
});

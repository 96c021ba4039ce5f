import { describe, expect, test } from 'vitest';
import { findDataSvgFaults, findSvgFaults } from './find-svg-faults.ts';
import { HOSTILE_ADDRESSES, HOSTILE_PICTURES, ORDINARY_PICTURES } from './svg-pictures.fixture.ts';

test.each(ORDINARY_PICTURES)('an ordinary picture is taken: %s', (_, source) => {
  expect(findSvgFaults(source)).toEqual([]);
});

describe('a hostile picture is refused, and told why', () => {
  test.each(HOSTILE_PICTURES)('%s', (_, source, reason) => {
    expect(findSvgFaults(source).join('\n')).toContain(reason);
  });

  test.each(HOSTILE_ADDRESSES)('in an address of %s', (_, address) => {
    expect(findDataSvgFaults(address)).not.toEqual([]);
  });
});

test('all that is wrong is told at once, in few words', () => {
  const source = `<svg xmlns="http://www.w3.org/2000/svg"><!-- x --><script/><g onclick="x" style="top:0"/></svg>`;
  expect(findSvgFaults(source)).toEqual([
    'must not hold comments (<!-- … -->)',
    'must not hold a <script> element',
    'must not have the attribute onclick of <g>',
    'must not set top in style of <g>',
  ]);
  const many = `<svg xmlns="http://www.w3.org/2000/svg">${Array.from({ length: 500 }, (_, index) => `<x${index}/>`).join('')}</svg>`;
  expect(findSvgFaults(many)).toHaveLength(20);
  expect(findSvgFaults(`<svg ${'x'.repeat(50_000)}="1"/>`).join('').length).toBeLessThan(1000);
});

test.each([
  '<svg '.repeat(20_000),
  `<svg${' '.repeat(100_000)}`,
  `<svg a="${'&'.repeat(100_000)}`,
  '('.repeat(100_000),
])('what is long is read in time', (source) => {
  const before = process.cpuUsage();
  expect(findSvgFaults(source)).not.toEqual([]);
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});

// A page may contain text that an attacker has made. Searching it for marks takes time in proportion to its length.

import { expect, test } from 'vitest';
import { reportProof } from '../../../../server/test/oracle/proof.ts';
import { findMarks } from '../../../src/mark.ts';
import { removeMarks, START } from '../../../src/remove-marks.ts';

test.each([
  ['starts without an end', START.repeat(100_000)],
  ['shifted starts without an end', `${START}\u200b`.repeat(100_000)],
  ['starts in each position of a byte', `${START}\u200c`.repeat(100_000)],
  ['one endless mark', START + '\u200b'.repeat(1_000_000)],
  ['one endless mark without zero bytes', START + '\u200c'.repeat(1_000_000)],
])('searching hostile text takes time in proportion to its length: %s', (what, text) => {
  const before = process.cpuUsage();
  expect(removeMarks(text)).toBe(text);
  expect(findMarks(text)).toEqual([]);
  const { user, system } = process.cpuUsage(before);
  reportProof(`${what}: ${Math.round((user + system) / 1000)} ms of CPU time`);
  expect((user + system) / 1000).toBeLessThan(3000);
});

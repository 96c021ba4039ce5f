import { expect, test } from 'vitest';
import { findPasswordFaults } from './password-rule.ts';

const ada = { email: 'Ada.Lovelace@example.com', name: 'Ada Lovelace King' };

test.each([
  ['twelve chars', true],
  ['eleven char', false],
  ['', false],
  ['😀'.repeat(12), true],
  ['😀'.repeat(11), false],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['😀'.repeat(200), true],
  ['😀'.repeat(201), false],
  [' ada.lovelace@EXAMPLE.com', false],
  ['ada lovelace king', false],
  ['ada lovelace kings', true],
])('the password %j is taken: %s', (password, isTaken) => {
  const faults = findPasswordFaults('password', password, ada);
  expect(faults).toEqual(
    isTaken
      ? []
      : [{ path: 'password', message: 'must be 12 to 200 characters long, and neither the email nor the name' }],
  );
});

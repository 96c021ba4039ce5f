import { expect, test } from 'vitest';
import { CommandFailure, FileFailure } from './command-failure.ts';
import { describeFailure } from './describe-failure.ts';

test.each([
  new CommandFailure('\u001b[2Ja\u009bb\u0007\u202e already exists.\nNext line.'),
  new FileFailure('\u001b[2Ja\u009bb\u0007\u202e:1: wrong\nNext line.'),
  new Error('\u001b[2Ja\u009bb\u0007\u202e'),
])('removes control characters from messages: %j', (error) => {
  const told = describeFailure(error, (_, text) => text);
  expect(told).toMatch(/\ufffd\[2Ja\ufffdb\ufffd\ufffd/);
  expect(told).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  if (error instanceof CommandFailure) expect(told).toContain('\nNext line.');
});

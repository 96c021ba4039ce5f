import { expect, test } from 'vitest';
import { Session } from './session.ts';

const FULL = 100;
const LONG_AFTER = 61_000;

function fill(session: Session): void {
  for (let statement = 0; statement < FULL; statement++) {
    session.nameStatement(statement);
    session.nameStatement(statement);
  }
}

test('names a prepared statement on its second run', () => {
  const session = new Session(0);
  expect([7, 7, 8, 7, 8].map((statement) => session.nameStatement(statement))).toEqual([
    undefined,
    'kept_7',
    undefined,
    'kept_7',
    'kept_8',
  ]);
});

test('limits the number of named statements, and keeps existing names', () => {
  const session = new Session(0);
  fill(session);
  for (const _ of [1, 2, 3]) expect(session.nameStatement(FULL)).toBeUndefined();
  expect(session.nameStatement(0)).toBe('kept_0');
});

test('closes only connections that have reached the limit, and only after a delay', () => {
  const [full, roomy] = [new Session(1000), new Session(1000)];
  fill(full);
  roomy.nameStatement(1);
  expect([full.mustEnd(1000), full.mustEnd(1000 + LONG_AFTER), roomy.mustEnd(1000 + LONG_AFTER)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('ends a connection immediately after a named statement has failed', () => {
  const session = new Session(0);
  session.spoil();
  expect(session.mustEnd(0)).toBe(true);
});

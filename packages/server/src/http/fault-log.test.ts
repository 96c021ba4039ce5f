import { pino } from 'pino';
import { expect, test } from 'vitest';
import { OutcomeUnknown, StorageFault } from '../storage/engine.ts';
import { createFaultLog } from './fault-log.ts';

function openLog() {
  const lines: { readonly level: number; readonly obstacle?: string; readonly met?: number; readonly msg: string }[] =
    [];
  let time = 0;
  const log = pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text)) });
  const faults = createFaultLog(log, () => time);
  return { lines, faults, wait: (ms: number) => (time += ms) };
}

const full = (): StorageFault => new StorageFault('full', 'database or disk is full (SQLite error 13)');

test('logs a fault immediately, then once a minute with a count', () => {
  const { lines, faults, wait } = openLog();
  for (let count = 0; count < 100; count += 1) faults.note(full());
  expect(lines).toMatchObject([{ level: 50, obstacle: 'full', met: 1 }]);
  wait(59_999);
  faults.note(full());
  expect(lines).toHaveLength(1);
  wait(1);
  faults.note(full());
  expect(lines[1]).toMatchObject({ obstacle: 'full', met: 101 });
});

test('counts a fault once even if it is reported twice, and counts each kind separately', () => {
  const { lines, faults, wait } = openLog();
  const fault = full();
  faults.note(fault);
  faults.note(fault);
  faults.note(new StorageFault('failing', 'disk I/O error (SQLite error 778)'));
  expect(lines.map(({ obstacle }) => obstacle)).toEqual(['full', 'failing']);
  wait(60_000);
  faults.note(full());
  expect(lines[2]).toMatchObject({ obstacle: 'full', met: 1 });
});

test('logs the end of a fault, and logs the next fault immediately', () => {
  const { lines, faults } = openLog();
  faults.note(full());
  faults.noteHealed();
  faults.note(full());
  expect(lines.map(({ level }) => level)).toEqual([50, 30, 50]);
});

test('logs each change with an unknown outcome only once', () => {
  const { lines, faults } = openLog();
  const failures = [new OutcomeUnknown('lost'), new OutcomeUnknown('lost again')];
  for (const failure of [...failures, ...failures]) faults.noteOutcomeUnknown(failure);
  expect(lines).toMatchObject(
    ['lost', 'lost again'].map((message) => ({
      level: 50,
      err: { message },
      msg: 'The database failed during a save. The change may or may not have been saved.',
    })),
  );
});

import { expect, test } from 'vitest';
import { OutcomeUnknown, StorageFault } from './engine.ts';
import { translateCommitError, translateSqliteError } from './sqlite/sqlite-errors.ts';
import { WriteWatch } from './write-watch.ts';

const FSYNC = { errcode: 1034 };

/** A watch whose test writes succeed unless `failure` is set. */
function openWatch() {
  const state: { failure?: unknown } = {};
  const told: string[] = [];
  const watch = new WriteWatch(async () => {
    if (state.failure !== undefined) throw state.failure;
  });
  watch.listen({
    onFault: ({ obstacle }) => told.push(obstacle),
    onOutcomeUnknown: ({ message }) => told.push(`unknown: ${message}`),
    onHealed: () => told.push('healed'),
  });
  return { watch, told, state };
}

function failToSync(): unknown {
  return translateCommitError(translateSqliteError(Object.assign(new Error('disk I/O error'), FSYNC)));
}

test('treats a commit that failed because of the disk as a fault until a write succeeds', async () => {
  const { watch, told, state } = openWatch();
  await expect(watch.follow(Promise.reject(failToSync()))).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(watch.fault).toBeInstanceOf(StorageFault);
  expect(told).toEqual(['unknown: disk I/O error (SQLite error 1034)', 'failing']);
  state.failure = failToSync();
  await watch.follow(Promise.resolve());
  await watch.close();
  expect(watch.fault).toMatchObject({ obstacle: 'failing' });
  state.failure = undefined;
  await watch.follow(Promise.resolve());
  await watch.close();
  expect(watch.fault).toBeUndefined();
  expect(told.at(-1)).toBe('healed');
});

test('reports a connection that was lost during a commit as an unknown outcome, not as a fault', async () => {
  const { watch, told } = openWatch();
  const lost = new OutcomeUnknown('Connection terminated unexpectedly', { cause: new Error('lost') });
  await expect(watch.follow(Promise.reject(lost))).rejects.toBe(lost);
  expect(watch.fault).toBeUndefined();
  expect(told).toEqual(['unknown: Connection terminated unexpectedly']);
  await watch.close();
});

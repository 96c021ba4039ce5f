import { expect, test } from 'vitest';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import { ImportRunning, OutcomeUnknown, StorageFault, StorageUnavailable, TookTooLong } from '../storage/engine.ts';
import { DamagedContent } from '../storage/lists/content-rows.ts';
import { describeFailure, rebuildFailure } from './failure-message.ts';

const fault = new StorageFault('full', 'No space is left');

test.each([
  new AuthoringRefusal('No.', {
    reason: 'conflict',
    code: 'stale',
    faults: [{ path: 'a', message: 'b', code: 'taken', values: { name: 'c' } }],
    details: { by: 'Ada' },
  }),
  new AuthoringRefusal('No.'),
  new ProblemError(PROBLEMS.preconditionFailed),
  fault,
  new OutcomeUnknown('The commit failed', { cause: fault }),
  new OutcomeUnknown('The connection failed'),
  new ImportRunning('An import is running'),
  new TookTooLong('The list took too long'),
  new DamagedContent('c_a'),
  new StorageUnavailable('The database is unreachable'),
  new TypeError('A bug'),
])('%s arrives unchanged on the other thread', (error) => {
  const rebuilt = rebuildFailure(structuredClone(describeFailure(error)));
  expect(rebuilt.message).toBe(error.message);
  expect({ ...rebuilt }).toEqual({ ...error });
  if (error instanceof TypeError) expect(rebuilt.cause).toMatchObject({ stack: error.stack });
  else expect(rebuilt.constructor).toBe(error.constructor);
  if (error instanceof OutcomeUnknown) expect((rebuilt as OutcomeUnknown).fault).toEqual(error.fault);
});

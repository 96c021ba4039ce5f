// Responds to calls that failed for an expected reason: the call breaks a rule, or the database or the file store cannot be used.

import type { ManagementErrorBody } from '@galley/wire';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { AuthoringRefusal, type RefusalReason } from '../authoring/authoring-refusal.ts';
import { FileStoreError } from '../files/file-store.ts';
import type { FaultLog } from '../http/fault-log.ts';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import { ImportRunning, type Obstacle, OutcomeUnknown, StorageFault, StorageUnavailable } from '../storage/engine.ts';
import { type GuardedRoute, isRead } from './route.ts';
import { renderFault } from './routes/content-bodies.ts';

export interface ErrorLogs {
  readonly faults: FaultLog;
  readonly log: Logger;
}

/** Rethrows any other error. */
export function sendExpected(
  route: GuardedRoute,
  { faults, log }: ErrorLogs,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  if (error instanceof AuthoringRefusal) return sendRefusal(reply, error);
  if (error instanceof FileStoreError) {
    log.error({ reqId: reply.request.id, err: error }, 'the file store failed');
    return sendProblem(reply, error.code === 'full' ? PROBLEMS.storageFull : PROBLEMS.fileStoreFailing);
  }
  if (!(error instanceof StorageUnavailable)) throw error;
  if (error instanceof StorageFault) faults.note(error);
  if (error instanceof OutcomeUnknown) faults.noteOutcomeUnknown(error);
  return sendProblem(reply, isRead(route) ? PROBLEMS.serviceUnavailable : findWriteProblem(error));
}

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  malformed: 400,
  absent: 404,
  forbidden: 403,
  conflict: 409,
  invalid: 422,
  too_large: 413,
  busy: 503,
};

const BUSY_SECONDS = '10';

function sendRefusal(reply: FastifyReply, refusal: AuthoringRefusal): FastifyReply {
  const { message, code, faults, details } = refusal;
  const body: ManagementErrorBody = {
    message,
    code,
    ...(faults.length === 0 ? {} : { errors: faults.map(renderFault) }),
    ...(details === undefined ? {} : { details }),
  };
  if (refusal.reason === 'busy') reply.header('retry-after', BUSY_SECONDS);
  return reply.code(STATUSES[refusal.reason]).send(body);
}

const FAULTS: Readonly<Record<Obstacle, Problem>> = {
  full: PROBLEMS.storageFull,
  'read-only': PROBLEMS.databaseReadOnly,
  failing: PROBLEMS.databaseFailing,
  thread: PROBLEMS.notSaved,
};

/** The caller must be told whether the change was made. */
function findWriteProblem(error: StorageUnavailable): Problem {
  if (error instanceof ImportRunning) return PROBLEMS.importRunning;
  if (error instanceof OutcomeUnknown) return PROBLEMS.outcomeUnknown;
  return error instanceof StorageFault ? FAULTS[error.obstacle] : PROBLEMS.notSaved;
}

// Answers a request that failed, and logs the failure if it is a bug.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { writeProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';
import type { FailAnswer } from '../http/send-ready.ts';
import { readRequestId } from '../http/service-message.ts';
import { StorageFault, StorageUnavailable } from '../storage/engine.ts';
import { DamagedContent } from '../storage/lists/content-rows.ts';

export interface FailureParts {
  readonly log: Logger;
  readonly noteFault: (fault: StorageFault) => void;
}

export function createFailRequest({ log, noteFault }: FailureParts): FailAnswer {
  function failRequest(response: ServerResponse, error: unknown): void {
    // An unreachable database is not a bug, and the next request may reach it again.
    const isOutage = error instanceof StorageUnavailable;
    if (error instanceof StorageFault) noteFault(error);
    if (!isOutage) logFailure(response.req, error);
    if (response.headersSent) response.destroy();
    else writeProblem(response, isOutage ? PROBLEMS.serviceUnavailable : PROBLEMS.serverError);
  }

  function logFailure(request: IncomingMessage, error: unknown): void {
    const reqId = readRequestId(request);
    if (error instanceof DamagedContent) log.error({ reqId, content: error.contentId }, error.message);
    else log.error({ reqId, method: request.method, err: error }, 'request failed');
  }

  return failRequest;
}

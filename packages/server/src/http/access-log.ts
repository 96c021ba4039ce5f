// A line of the log for each request: what was asked, how it ended, how long it took, and who asked as far as that is
// known. Written where Node hands a request over, below whatever answers it. Paths stand there without their query, and
// without whatever looks like a key.

import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { WatchRequest } from './create-node-server.ts';
import { PROBED_PATHS, readLoggedPath } from './request-target.ts';
import { readRequestId } from './service-message.ts';

/** Who calls, once it is known. */
export interface KnownCaller {
  readonly site?: string | undefined;
  /** The id of an API key or of a management token, never the key itself. */
  readonly key?: string | undefined;
  readonly user?: string | undefined;
}

/** @param headers of the request, which it is known by */
export type NoteCaller = (headers: IncomingHttpHeaders, caller: KnownCaller) => void;

export interface AccessLog {
  readonly watch: WatchRequest;
  readonly note: NoteCaller;
}

export function createAccessLog(log: Logger, level: 'info' | 'debug'): AccessLog {
  const callers = new WeakMap<IncomingHttpHeaders, KnownCaller>();
  return {
    note: (headers, caller) => void callers.set(headers, { ...callers.get(headers), ...caller }),
    watch: (request, response) => {
      const startedAt = performance.now();
      // Asked for now, so that the answer and the line name the same one.
      const reqId = readRequestId(request);
      response.on('close', () => {
        const path = readLoggedPath(request);
        const { statusCode: status, writableFinished: isComplete } = response;
        // Asked every few seconds, all day long. They are worth a line when something is wrong.
        if (isComplete && status < 400 && PROBED_PATHS.has(path)) return;
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        const { method, headers } = request;
        const ending = isComplete ? {} : { aborted: true };
        log[level]({ reqId, method, path, status, ms, ...callers.get(headers), ...ending }, 'request');
      });
    },
  };
}

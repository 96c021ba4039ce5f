// Logs a line for each request: its method and path, its outcome, its duration, and the caller if known. It works below Fastify, so it
// sees every request. Paths are logged without their query and without anything that looks like a key.

import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { WatchRequest } from './create-node-server.ts';
import { PROBED_PATHS, readLoggedPath } from './request-target.ts';
import { readRequestId } from './service-message.ts';

/** The caller of a request, once it has been identified. */
export interface KnownCaller {
  readonly site?: string | undefined;
  /** The id of an API key or of a management token, never the key itself. */
  readonly key?: string | undefined;
  readonly user?: string | undefined;
}

/** @param headers the headers of the request; the object itself identifies the request */
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
      // Read the id now: the response and the log must use the same one.
      const reqId = readRequestId(request);
      response.on('close', () => {
        const path = readLoggedPath(request);
        const { statusCode: status, writableFinished: isComplete } = response;
        // Health checks come every few seconds. Log them only if something is wrong.
        if (isComplete && status < 400 && PROBED_PATHS.has(path)) return;
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        const { method, headers } = request;
        const ending = isComplete ? {} : { aborted: true };
        log[level]({ reqId, method, path, status, ms, ...callers.get(headers), ...ending }, 'request');
      });
    },
  };
}

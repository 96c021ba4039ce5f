// Loads file delivery on the first request for a file, because many services never need it, and loading it earlier would slow down their
// startup.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { writeProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';
import { ASSETS_PATH } from './asset-target.ts';
import type { AssetDelivery } from './create-asset-delivery.ts';

export interface LazyAssetDelivery {
  /** Answers requests that read files; returns false for any other request. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** @param request a request whose path starts with /assets/ */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
}

/** @param open called again after a failure, because an operator may have fixed the cause */
export function createLazyDelivery(log: Logger, open: () => Promise<AssetDelivery>): LazyAssetDelivery {
  let opened: AssetDelivery | undefined;
  let opening: Promise<AssetDelivery> | undefined;

  async function serveOnceOpened(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      opening ??= open();
      opened = await opening;
    } catch (error) {
      opening = undefined;
      log.error({ err: error }, 'files cannot be served');
      writeProblem(response, PROBLEMS.serviceUnavailable);
      return;
    }
    opened.serve(request, response);
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (opened === undefined) void serveOnceOpened(request, response);
    else opened.serve(request, response);
  }

  return {
    take(request, response) {
      const { method, url = '' } = request;
      if (!url.startsWith(ASSETS_PATH) || (method !== 'GET' && method !== 'HEAD')) return false;
      serve(request, response);
      return true;
    },
    serve,
  };
}

/**
 * Requests that `take` does not answer use methods other than GET and HEAD. With this route, they get 405 instead of 404, and OPTIONS
 * lists the methods.
 */
export function registerAssetDelivery(server: FastifyInstance, { serve }: LazyAssetDelivery): void {
  server.get(`${ASSETS_PATH}*`, (request, reply) => {
    serve(request.raw, reply.hijack().raw);
    return reply;
  });
}

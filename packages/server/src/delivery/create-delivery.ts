// The delivery API as a function of a request and a response of Node's: it needs nothing of Fastify, which would take a tenth
// of the time of an answer that is ready. Fastify's routes lead here too, for what must be looked at more closely.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { writeProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';
import { readRawQuery } from '../http/request-target.ts';
import { readRequestId } from '../http/service-message.ts';
import type { Match } from '../listing/field-filter.ts';
import { DamagedContent, StorageFault, StorageUnavailable } from '../storage/port.ts';
import { type Answered, answerRequest, type DeliveryContext, type DeliveryRequest } from './answer-request.ts';
import { findContentPath, LIST_PATH } from './content-path.ts';
import { isSwitchedOn, readHeader } from './delivery-headers.ts';
import { sendAnswer } from './send-answer.ts';

export interface DeliveryOptions extends Omit<DeliveryContext, 'commonHeaders'> {
  readonly log: Logger;
  readonly noteFault: (fault: StorageFault) => void;
  readonly defaultMatch: Match;
  /** The absolute base of the addresses in answers, such as `https://content.example`. */
  readonly readBaseUrl: (request: IncomingMessage) => string;
}

export interface Delivery {
  /** Answers what is plainly a read of content; false where a router must look closer. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** @param id null for the list */
  readonly serve: (request: IncomingMessage, response: ServerResponse, id: string | null) => void;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { headerNames, log, noteFault, readBaseUrl, defaultMatch } = options;
  const vary = ['Accept-Encoding', 'Authorization', ...Object.values(headerNames)].join(', ');
  const context: DeliveryContext = {
    ...options,
    commonHeaders: {
      public: ['vary', vary, 'cache-control', 'private, no-cache'],
      preview: ['vary', vary, 'cache-control', 'private, no-cache, no-store'],
    },
  };

  function take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false;
    const path = findContentPath(request.url ?? '');
    if (path === undefined) return false;
    serve(request, response, path.id);
    return true;
  }

  function serve(request: IncomingMessage, response: ServerResponse, id: string | null): void {
    try {
      const wanted = id === null ? buildListRequest(request, response) : buildObjectRequest(request, response, id);
      const outcome = answerRequest(wanted, context);
      if (outcome instanceof Promise) {
        outcome.then((awaited) => send(request, response, awaited)).catch((error) => fail(response, error));
      } else {
        send(request, response, outcome)?.catch((error) => fail(response, error));
      }
    } catch (error) {
      fail(response, error);
    }
  }

  function buildListRequest(request: IncomingMessage, response: ServerResponse): DeliveryRequest {
    const { headers, url = '' } = request;
    const baseUrl = readBaseUrl(request);
    const isSimple = isSwitchedOn(headers, headerNames.simplePagination);
    const language = readHeader(headers, headerNames.language);
    return {
      headers,
      response,
      edition: { kind: isSimple ? 'pages' : 'cursors', language, baseUrl },
      url,
      describeWanted: () => {
        const path = `${baseUrl}${LIST_PATH}`;
        return { kind: 'list', path, queryString: readRawQuery(url), isSimple, language, defaultMatch };
      },
    };
  }

  function buildObjectRequest(
    { headers, url = '' }: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): DeliveryRequest {
    const language = readHeader(headers, headerNames.language);
    return {
      headers,
      response,
      edition: { kind: 'object', language, baseUrl: undefined },
      url,
      describeWanted: () => ({ kind: 'object', id, queryString: readRawQuery(url), language }),
    };
  }

  function send(request: IncomingMessage, response: ServerResponse, outcome: Answered): Promise<void> | undefined {
    if (outcome.ok) return sendAnswer(request.headers, response, outcome.value, fail);
    writeProblem(response, outcome.problem);
    return undefined;
  }

  function fail(response: ServerResponse, error: unknown): void {
    // A database that cannot be reached is no bug, and the next request may find it again.
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

  return { take, serve };
}

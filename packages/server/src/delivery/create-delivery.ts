// Serves the delivery API directly on Node's request and response objects: it parses each request, answers it and sends the response. It
// bypasses Fastify, which would make a cached response 10% slower. Two Fastify routes call this code too, for requests that need a router.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem, writeProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';
import {
  buildReadyHead,
  extendHead,
  type FailAnswer,
  matchesEtag,
  type ReadyHead,
  sendReady,
} from '../http/send-ready.ts';
import { type AnswerForm, CACHE_STATUS, type CacheStatus, findEncoding, type Sending } from './answer.ts';
import { type Answered, answerRequest, type DeliveryContext } from './answer-request.ts';
import {
  type DeliveryRequest,
  findContentPath,
  LIST_PATH,
  parseDeliveryRequest,
  type RequestRules,
} from './delivery-request.ts';
import { createFailRequest, type FailureParts } from './fail-request.ts';

export interface DeliveryOptions extends Omit<DeliveryContext, 'commonHeaders'>, RequestRules, FailureParts {}

export interface Delivery {
  /** Handles plain reads of content; returns false if the request needs a router. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** @param id null for the list */
  readonly serve: (request: IncomingMessage, response: ServerResponse, id: string | null) => void;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const fail = createFailRequest(options);
  const vary = ['Accept-Encoding', 'Authorization', ...Object.values(options.headerNames)].join(', ');
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

  function serve(incoming: IncomingMessage, response: ServerResponse, id: string | null): void {
    try {
      const request = parseDeliveryRequest(incoming, response, id, options);
      if (request === undefined) {
        writeProblem(response, PROBLEMS.unauthenticated);
        return;
      }
      const outcome = answerRequest(request, context);
      if (outcome instanceof Promise) {
        outcome.then((awaited) => send(request, awaited)).catch((error) => fail(response, error));
      } else {
        send(request, outcome)?.catch((error) => fail(response, error));
      }
    } catch (error) {
      fail(response, error);
    }
  }

  function send(request: DeliveryRequest, outcome: Answered): Promise<void> | undefined {
    if (outcome.ok) return sendAnswer(request, outcome.value, fail);
    writeProblem(request.response, outcome.problem);
    return undefined;
  }

  return { take, serve };
}

/**
 * Sends 200 or 304 in the best encoding that the client accepts. The response object itself adds the headers that all responses have.
 * Returns a promise if the response must be compressed first.
 */
function sendAnswer(
  { headers, response }: DeliveryRequest,
  sending: Sending,
  fail: FailAnswer,
): Promise<void> | undefined {
  const { answer } = sending;
  const form = answer.form(findEncoding(headers['accept-encoding'], answer.size));
  if (form instanceof Promise) return form.then((made) => sendForm(headers, response, made, sending, fail));
  sendForm(headers, response, form, sending, fail);
  return undefined;
}

function sendForm(
  asked: IncomingHttpHeaders,
  response: ServerResponse,
  form: AnswerForm,
  { cacheStatus, limitHeaders }: Sending,
  fail: FailAnswer,
): void {
  const { body, charset, etag, validatorCount } = form;
  const isKnown = matchesEtag(asked['if-none-match'], etag);
  const head = readHead(form, cacheStatus);
  const sent = isKnown ? buildReadyHead(304, head.list.slice(0, validatorCount)) : head;
  sendReady(response, limitHeaders === undefined ? sent : extendHead(sent, limitHeaders), body, charset, fail);
}

/** A compressed form is always made from a cached response, but the first request for it still counts as a miss. */
function readHead({ head }: AnswerForm, cacheStatus: CacheStatus): ReadyHead {
  const status = CACHE_STATUS[cacheStatus];
  return head.list[1] === status ? head : buildReadyHead(head.status, head.list.with(1, status));
}

/** Routes for `HEAD` and for ids that must be decoded. There are no other routes under /api/v1. */
export function registerDelivery(server: FastifyInstance, { serve }: Delivery): void {
  server.get(LIST_PATH, (request, reply) => {
    serve(request.raw, reply.hijack().raw, null);
    return reply;
  });

  server.get(`${LIST_PATH}/:id`, (request, reply) => {
    const id = readId(request);
    // The router reads a trailing slash as an empty id, but that path does not exist.
    if (id === '') return sendProblem(reply, PROBLEMS.notFound);
    serve(request.raw, reply.hijack().raw, id);
    return reply;
  });
}

function readId({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'id' in params && typeof params.id === 'string'
    ? params.id
    : '';
}

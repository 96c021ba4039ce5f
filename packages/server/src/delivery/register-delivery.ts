// The delivery API's routes. Under /api/v1 nothing exists but these two.

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail, type Result } from '../content/result.ts';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import { readRawQuery } from '../http/request-target.ts';
import type { Match } from '../listing/field-filter.ts';
import { StorageUnavailable } from '../storage/port.ts';
import { sendAnswer } from './answer.ts';
import { type Answered, answerRequest, type DeliveryContext, type Endpoint } from './answer-request.ts';
import { isSwitchedOn, readHeader } from './delivery-headers.ts';
import { getContent } from './get-content.ts';
import { listContent } from './list-content.ts';

export interface DeliveryOptions extends DeliveryContext {
  readonly defaultMatch: Match;
  readonly isEmptySlugNotFound: boolean;
  /** The absolute base of the addresses in answers, such as `https://content.example`. */
  readonly readBaseUrl: (headers: IncomingHttpHeaders) => string;
}

const LIST_PATH = '/api/v1/content';

export function registerDelivery(server: FastifyInstance, options: DeliveryOptions): void {
  const { headerNames, reads } = options;
  const vary = ['Accept-Encoding', 'Authorization', ...Object.values(headerNames)].join(', ');

  function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint: Endpoint,
  ): FastifyReply | Promise<FastifyReply> {
    const outcome = answer(request, endpoint);
    return outcome instanceof Promise
      ? outcome.then((each) => send(request, reply, each))
      : send(request, reply, outcome);
  }

  function answer(request: FastifyRequest, endpoint: Endpoint): Answered | Promise<Answered> {
    try {
      const outcome = answerRequest(request.headers, options, endpoint);
      return outcome instanceof Promise ? outcome.catch(refuseUnavailable) : outcome;
    } catch (error) {
      return refuseUnavailable(error);
    }
  }

  function send(request: FastifyRequest, reply: FastifyReply, outcome: Answered): FastifyReply | Promise<FastifyReply> {
    if (!outcome.ok) return sendProblem(reply, outcome.problem);
    const { answer: content, audience } = outcome.value;
    return sendAnswer(request, reply, content, { vary, isPreview: audience === 'preview' });
  }

  server.get(LIST_PATH, (request, reply) => {
    const { headers } = request;
    const list = {
      path: `${options.readBaseUrl(headers)}${LIST_PATH}`,
      queryString: readRawQuery(request.raw.url ?? ''),
      isSimple: isSwitchedOn(headers, headerNames.simplePagination),
      language: readHeader(headers, headerNames.language),
      defaultMatch: options.defaultMatch,
    };
    return respond(request, reply, (memo, audience) => listContent(list, options, memo, audience, reads));
  });

  server.get(`${LIST_PATH}/:id`, (request, reply) => {
    const id = readId(request);
    // The router takes a trailing slash for an empty id; there is nothing at that path.
    if (id === '') return sendProblem(reply, PROBLEMS.notFound);
    const wanted = {
      id,
      queryString: readRawQuery(request.raw.url ?? ''),
      language: readHeader(request.headers, headerNames.language),
    };
    return respond(request, reply, (memo, audience) => getContent(wanted, memo, audience, reads));
  });
}

/** A database that cannot be reached is no bug, and the next request may find it again. */
function refuseUnavailable(error: unknown): Result<never, Problem> {
  if (error instanceof StorageUnavailable) return fail(PROBLEMS.serviceUnavailable);
  throw error;
}

function readId({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'id' in params && typeof params.id === 'string'
    ? params.id
    : '';
}

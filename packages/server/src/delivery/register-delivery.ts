// The delivery API's routes. Under /api/v1 nothing exists but these two.

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail, type Result } from '../content/result.ts';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import { readRawQuery } from '../http/request-target.ts';
import type { Match } from '../listing/field-filter.ts';
import { StorageUnavailable } from '../storage/port.ts';
import { type Answered, answerRequest, type DeliveryContext, type DeliveryRequest } from './answer-request.ts';
import { isSwitchedOn, readHeader } from './delivery-headers.ts';
import { getContent } from './get-content.ts';
import { listContent } from './list-content.ts';
import { sendAnswer } from './send-answer.ts';

export interface DeliveryOptions extends Omit<DeliveryContext, 'commonHeaders'> {
  readonly defaultMatch: Match;
  readonly isEmptySlugNotFound: boolean;
  /** The absolute base of the addresses in answers, such as `https://content.example`. */
  readonly readBaseUrl: (headers: IncomingHttpHeaders) => string;
}

const LIST_PATH = '/api/v1/content';

export function registerDelivery(server: FastifyInstance, options: DeliveryOptions): void {
  const { headerNames, reads } = options;
  const vary = ['Accept-Encoding', 'Authorization', ...Object.values(headerNames)].join(', ');
  const context: DeliveryContext = {
    ...options,
    commonHeaders: {
      public: ['vary', vary, 'cache-control', 'private, no-cache'],
      preview: ['vary', vary, 'cache-control', 'private, no-cache, no-store'],
    },
  };

  function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: DeliveryRequest,
  ): FastifyReply | Promise<FastifyReply> {
    const outcome = answer(wanted);
    return outcome instanceof Promise
      ? outcome.then((each) => send(request, reply, each))
      : send(request, reply, outcome);
  }

  function answer(wanted: DeliveryRequest): Answered | Promise<Answered> {
    try {
      const outcome = answerRequest(wanted, context);
      return outcome instanceof Promise ? outcome.catch(refuseUnavailable) : outcome;
    } catch (error) {
      return refuseUnavailable(error);
    }
  }

  server.get(LIST_PATH, (request, reply) => {
    const { headers } = request;
    const url = request.raw.url ?? '';
    const baseUrl = options.readBaseUrl(headers);
    const isSimple = isSwitchedOn(headers, headerNames.simplePagination);
    const language = readHeader(headers, headerNames.language);
    return respond(request, reply, {
      headers,
      variant: `${isSimple ? 'pages' : 'cursors'}\n${language ?? ''}\n${baseUrl}\n${url}`,
      endpoint: (reading) => {
        const path = `${baseUrl}${LIST_PATH}`;
        const list = { path, queryString: readRawQuery(url), isSimple, language, defaultMatch: options.defaultMatch };
        return listContent(list, options, reading, reads);
      },
    });
  });

  server.get(`${LIST_PATH}/:id`, (request, reply) => {
    const id = readId(request);
    // The router takes a trailing slash for an empty id; there is nothing at that path.
    if (id === '') return sendProblem(reply, PROBLEMS.notFound);
    const { headers } = request;
    const url = request.raw.url ?? '';
    const language = readHeader(headers, headerNames.language);
    return respond(request, reply, {
      headers,
      variant: `object\n${language ?? ''}\n${url}`,
      endpoint: (reading) => getContent({ id, queryString: readRawQuery(url), language }, reading, reads),
    });
  });
}

function send(request: FastifyRequest, reply: FastifyReply, outcome: Answered): FastifyReply | Promise<FastifyReply> {
  return outcome.ok ? sendAnswer(request, reply, outcome.value) : sendProblem(reply, outcome.problem);
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

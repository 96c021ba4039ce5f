// The delivery API's routes. Under /api/v1 nothing exists but these two.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';
import { LIST_PATH } from './content-path.ts';
import type { Delivery } from './create-delivery.ts';

export function registerDelivery(server: FastifyInstance, { serve }: Delivery): void {
  server.get(LIST_PATH, (request, reply) => {
    serve(request.raw, reply.hijack().raw, null);
    return reply;
  });

  server.get(`${LIST_PATH}/:id`, (request, reply) => {
    const id = readId(request);
    // The router takes a trailing slash for an empty id; there is nothing at that path.
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

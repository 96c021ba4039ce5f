// How a refusal is answered: a sentence, everything that is wrong with its place, and what helps to go on.

import type { ManagementErrorBody } from '@galley/wire';
import type { FastifyReply } from 'fastify';
import type { AuthoringRefusal, RefusalReason } from '../authoring/authoring-refusal.ts';

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  malformed: 400,
  absent: 404,
  forbidden: 403,
  conflict: 409,
  invalid: 422,
};

export function sendRefusal(reply: FastifyReply, refusal: AuthoringRefusal): FastifyReply {
  const { message, faults, details } = refusal;
  const body: ManagementErrorBody = {
    message,
    ...(faults.length === 0 ? {} : { errors: faults.map((fault) => ({ path: fault.path, message: fault.message })) }),
    ...(details === undefined ? {} : { details }),
  };
  return reply.code(STATUSES[refusal.reason]).send(body);
}

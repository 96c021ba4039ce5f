// The paths that report whether a node is up. They need no key and reveal nothing about the content.

import {
  buildObjectSchema,
  type JsonSchema,
  type Operation,
  type PathItem,
  type Response,
  referToSchema,
} from './open-api.ts';
import { referToHeaders } from './response-headers.ts';

const CHECKS: JsonSchema = {
  description: 'The result of each check; empty while the node is shutting down.',
  type: 'object',
  additionalProperties: { type: 'string', enum: ['ok', 'failed'] },
};

export const HEALTH_SCHEMAS = {
  Alive: buildObjectSchema('The process responds.', { status: { type: 'string', const: 'ok' } }),
  Ready: buildObjectSchema('The node is ready to serve requests.', {
    status: {
      description:
        '`degraded` while the database cannot be reached and readers are served from replicas or from memory, or while nothing can be saved (`writes` has failed) but reading still works.',
      type: 'string',
      enum: ['ok', 'degraded'],
    },
    checks: CHECKS,
  }),
  NotReady: buildObjectSchema('The node cannot serve requests.', {
    status: { type: 'string', const: 'unavailable' },
    checks: CHECKS,
  }),
} satisfies Record<string, JsonSchema>;

export const HEALTH_PATHS: Readonly<Record<string, PathItem>> = {
  '/livez': {
    get: buildHealthOperation(
      'getLiveness',
      'Is the process alive?',
      'Checks only whether the process responds. If this fails, restart the node.',
      {
        '200': buildHealthResponse('The process responds.', 'Alive', { status: 'ok' }),
      },
    ),
  },
  '/readyz': {
    get: buildHealthOperation(
      'getReadiness',
      'Can the node serve requests?',
      'Reports whether the node can serve requests. The checks run at most once a second, however often this is called.',
      {
        '200': buildHealthResponse('The node is ready to serve requests.', 'Ready', {
          status: 'ok',
          checks: { database: 'ok' },
        }),
        '503': buildHealthResponse(
          'The node cannot serve requests: a check failed, or it is shutting down.',
          'NotReady',
          {
            status: 'unavailable',
            checks: { database: 'failed' },
          },
        ),
      },
    ),
  },
};

function buildHealthOperation(
  operationId: string,
  summary: string,
  description: string,
  responses: Operation['responses'],
): Operation {
  return { operationId, tags: ['Health'], summary, description, security: [], responses };
}

function buildHealthResponse(description: string, schema: keyof typeof HEALTH_SCHEMAS, example: unknown): Response {
  return {
    description,
    headers: referToHeaders(),
    content: {
      'application/json': {
        schema: referToSchema(schema),
        examples: { example: { summary: description, value: example } },
      },
    },
  };
}

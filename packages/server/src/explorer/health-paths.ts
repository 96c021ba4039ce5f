// The paths that say whether a node is up. They need no key and tell nothing about the content.

import { type JsonSchema, type Operation, type PathItem, referToSchema } from './open-api.ts';
import { referToHeaders } from './response-headers.ts';

export const HEALTH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Health: {
    description: 'The node is well.',
    type: 'object',
    properties: { status: { type: 'string', const: 'ok' } },
    required: ['status'],
    additionalProperties: false,
  },
};

const OK_RESPONSE = {
  headers: referToHeaders(),
  content: {
    'application/json': {
      schema: referToSchema('Health'),
      examples: { ok: { summary: 'All is well', value: { status: 'ok' } } },
    },
  },
};

export const HEALTH_PATHS: Readonly<Record<string, PathItem>> = {
  '/livez': {
    get: buildHealthOperation('getLiveness', 'Is the process alive?', 'Touches nothing else. If this fails, restart the node.', {
      '200': { description: 'The process answers.', ...OK_RESPONSE },
    }),
  },
  '/readyz': {
    get: buildHealthOperation('getReadiness', 'Can the node serve?', 'Whether the node should be sent requests. The checks behind it are cached, so that asking often is cheap.', {
      '200': { description: 'The node can serve.', ...OK_RESPONSE },
      '503': { $ref: '#/components/responses/Unavailable' },
    }),
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

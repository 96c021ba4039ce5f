// Describes the routes of the tus protocol. Their parameters and results are sent as headers.

import type { AnswerHeader, RequestHeader, ResumableRoute } from '../routes/resumable-upload-routes.ts';
import type { Header, OperationParts, Parameter, Reference, Response } from './management-document.ts';
import {
  ERROR_SCHEMA_NAME,
  REFUSAL_RESPONSES,
  type RefusalStatus,
  referToHeaders,
  referToStatuses,
} from './route-responses.ts';

const VERSION = { type: 'string', const: '1.0.0' } as const;
const WHOLE_NUMBER = { type: 'string', pattern: '^(0|[1-9]\\d*)$' } as const;

const PARAMETERS: Readonly<Record<RequestHeader, Omit<Parameter, 'name' | 'in'>>> = {
  'Upload-Length': { description: 'The size of the file in bytes.', required: true, schema: WHOLE_NUMBER },
  'Upload-Metadata': {
    description:
      'Comma-separated pairs, each consisting of a key and a Base64-encoded value. `filename` is the file’s name.',
    required: false,
    schema: { type: 'string', examples: ['filename aGFyYm91ci5qcGc='] },
  },
  'Upload-Offset': {
    description: 'Where the bytes begin: the number of bytes that have arrived so far.',
    required: true,
    schema: WHOLE_NUMBER,
  },
};

const ANSWERS: Readonly<Record<AnswerHeader, Omit<Header, 'required'>>> = {
  Location: { description: 'The path of the upload. Its last segment is the id.', schema: { type: 'string' } },
  'Upload-Length': { description: 'The size of the file in bytes.', schema: WHOLE_NUMBER },
  'Upload-Offset': { description: 'How many bytes have arrived so far.', schema: WHOLE_NUMBER },
  'Upload-Expires': { description: 'When the upload expires unless further bytes arrive.', schema: { type: 'string' } },
};

const TUS_VERSION: Parameter = {
  name: 'Tus-Resumable',
  in: 'header',
  description: 'The version of the protocol.',
  required: true,
  schema: VERSION,
};

export function describeResumable(route: ResumableRoute): OperationParts {
  const bytes = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } } as const;
  return {
    parameters: [TUS_VERSION, ...route.headers.map((name): Parameter => ({ name, in: 'header', ...PARAMETERS[name] }))],
    ...(route.takesBytes ? { requestBody: { required: true, content: bytes } } : {}),
    responses: { [route.status]: buildAnswer(route), ...buildRefusals(route) },
  };
}

function buildAnswer({ method, status, answer }: ResumableRoute): Response {
  const own = answer.map((name) => [name, { ...ANSWERS[name], required: true }] as const);
  const version: Header = { description: 'The version of the protocol.', required: true, schema: VERSION };
  return {
    description: method === 'HEAD' ? 'Found.' : status === 201 ? 'Created.' : 'Success. The response has no body.',
    headers: { ...Object.fromEntries(own), 'Tus-Resumable': version, ...referToHeaders() },
  };
}

const WRONG_VERSION: Response = {
  description: '`Tus-Resumable` is not a version that the service supports.',
  headers: {
    'Tus-Version': { description: 'The supported version.', required: true, schema: VERSION },
    ...referToHeaders(),
  },
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${ERROR_SCHEMA_NAME}` },
      example: { message: 'The Tus-Resumable header must be 1.0.0.' },
    },
  },
};

function buildRefusals({ method, refusals }: ResumableRoute): Readonly<Record<string, Response | Reference>> {
  const shared: readonly RefusalStatus[] = [400, 401, 403, 404, 421, 500, 503];
  if (method !== 'HEAD') {
    const statuses = [...new Set<RefusalStatus>([...shared, ...refusals, 413, 415, 507])].sort((a, b) => a - b);
    return { ...referToStatuses(statuses), 412: WRONG_VERSION };
  }
  const found = shared.map((status) => [status, REFUSAL_RESPONSES[`Refusal${status}`]] as const);
  return Object.fromEntries(
    [...found, [412, WRONG_VERSION] as const].flatMap(([status, response]) =>
      response === undefined ? [] : [[status, withoutBody(response)]],
    ),
  );
}

/** The response to HEAD consists of headers only. */
function withoutBody({ description, headers = {} }: Response): Response {
  return { description, headers };
}

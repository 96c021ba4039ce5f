// The OpenAPI document for the delivery API. The explorer displays it, and tests check real responses against it.
// Schemas are closed and complete, so a valid response has exactly the documented form.

import { CONTENT_SCHEMAS, LIST_SCHEMAS } from './answer-schemas.ts';
import { buildChangesPath, CHANGE_SCHEMAS } from './change-paths.ts';
import { FIELD_SCHEMAS } from './field-schemas.ts';
import { FILE_PATHS } from './file-path.ts';
import { HEALTH_PATHS, HEALTH_SCHEMAS } from './health-paths.ts';
import type { OpenApiDocument, Operation, PathItem, Reference, Response } from './open-api.ts';
import { buildParameters, CONTENT_PARAMETERS, LIST_PARAMETERS, referToParameters } from './parameters.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';
import { buildResponses, withoutBodies } from './responses.ts';

export interface OpenApiOptions {
  /** The prefix of the service's own headers, such as `X-SERVICE`. */
  readonly headerPrefix: string;
  /** The base of the service's absolute URLs; without it, URLs are relative to the document. */
  readonly publicUrl?: string | undefined;
  /** The version of the service. */
  readonly version: string;
}

const LIST_PATH = '/api/v1/content';
const EXAMPLE_URL = 'https://content.example.com';

/** The names of the security schemes in the document. The explorer page uses them to authorize calls. */
const API_KEY_SCHEME = 'apiKey';
const SITE_SCHEME = 'siteId';

export function buildOpenApiDocument({ headerPrefix, publicUrl, version }: OpenApiOptions): OpenApiDocument {
  const baseUrl = publicUrl?.replace(/\/+$/, '');
  const responses = buildResponses(`${baseUrl ?? EXAMPLE_URL}${LIST_PATH}`);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Galley content API',
      version,
      summary: 'Reads the published content of one site.',
      description: describeApi(headerPrefix),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/', description: 'This service' }],
    security: [{ [API_KEY_SCHEME]: [], [SITE_SCHEME]: [] }],
    tags: [
      { name: 'Content', description: 'Published content objects.' },
      {
        name: 'Files',
        description:
          'Uploaded files, and images in any size and format. No key is needed. The [page about images](docs/images) has live examples.',
      },
      {
        name: 'Changes',
        description: 'Everything that has changed for readers, for caches, mirrors and static sites.',
      },
      { name: 'Health', description: 'For load balancers and supervisors. No key is needed.' },
    ],
    paths: {
      [LIST_PATH]: buildListPath(headerPrefix, responses),
      [`${LIST_PATH}/{id}`]: buildContentPath(responses),
      ...FILE_PATHS,
      ...buildChangesPath(SHARED_RESPONSES),
      ...HEALTH_PATHS,
    },
    components: {
      securitySchemes: {
        [API_KEY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'An API key, or the token of a share link.' },
        [SITE_SCHEME]: {
          type: 'apiKey',
          in: 'header',
          name: `${headerPrefix}-SITE`,
          description: 'The ID of the site to read.',
        },
      },
      parameters: buildParameters(headerPrefix),
      headers: RESPONSE_HEADERS,
      responses,
      schemas: { ...CONTENT_SCHEMAS, ...FIELD_SCHEMAS, ...LIST_SCHEMAS, ...CHANGE_SCHEMAS, ...HEALTH_SCHEMAS },
    },
  };
}

function describeApi(headerPrefix: string): string {
  return [
    `Every request for content needs an API key (\`Authorization: Bearer …\`) and a site ID (\`${headerPrefix}-SITE\`).`,
    'Responses are JSON. Every error is an object whose `message` is one sentence. Errors outside these operations have the same shape: unknown paths (404), and requests that are too slow or too large (408, 413, 414, 431).',
    'Browsers may call the API from any origin.',
  ].join(' ');
}

function buildListPath(headerPrefix: string, responses: Readonly<Record<string, Response>>): PathItem {
  const references = {
    '200': referToResponse('ContentList'),
    ...SHARED_RESPONSES,
    '404': referToResponse('SlugNotFound'),
  };
  const get: Operation = {
    operationId: 'listContent',
    tags: ['Content'],
    summary: 'List content',
    description: [
      'Filters, sorts and pages through the content of a site. Without parameters, it returns everything, most recently published first.',
      `By default, lists are returned in sets with a cursor; with the header \`${headerPrefix}-SIMPLE-PAGINATION: true\`, they are returned in numbered pages with totals. If a list contains exactly one object, the response is just that object, without an envelope; its \`Link\` header still contains the links.`,
      'Parameters with several values can be written as `slug=a&slug=b`, `slug[]=a&slug[]=b` or `slug[0]=a&slug[1]=b`. Unknown parameters are ignored.',
    ].join('\n\n'),
    parameters: referToParameters(LIST_PARAMETERS),
    responses: references,
  };
  return { get, head: buildHead(get, 'headContentList', withoutBodies(references, responses)) };
}

function buildContentPath(responses: Readonly<Record<string, Response>>): PathItem {
  const references = {
    '200': referToResponse('Content'),
    ...SHARED_RESPONSES,
    '404': referToResponse('ContentNotFound'),
  };
  const get: Operation = {
    operationId: 'getContent',
    tags: ['Content'],
    summary: 'Get content by ID',
    description:
      'Returns one content object. With a language header, it is the translation into that language; otherwise, it is the record with exactly this ID.',
    parameters: referToParameters(CONTENT_PARAMETERS),
    responses: references,
  };
  return { get, head: buildHead(get, 'headContent', withoutBodies(references, responses)) };
}

const SHARED_RESPONSES = {
  '304': referToResponse('NotModified'),
  '400': referToResponse('BadRequest'),
  '401': referToResponse('Unauthenticated'),
  '403': referToResponse('Forbidden'),
  '405': referToResponse('MethodNotAllowed'),
  '422': referToResponse('InvalidParameter'),
  '429': referToResponse('TooManyRequests'),
  '500': referToResponse('ServerError'),
  '503': referToResponse('Unavailable'),
};

function buildHead(get: Operation, operationId: string, responses: Readonly<Record<string, Response>>): Operation {
  return {
    ...get,
    operationId,
    summary: `${get.summary}: headers only`,
    description: 'Responds like GET, but without the body.',
    responses,
  };
}

function referToResponse(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}

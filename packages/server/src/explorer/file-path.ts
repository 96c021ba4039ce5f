// The path of uploaded files and images. It needs no key: nobody can guess the version in a URL.

import { IMAGE_PARAMETERS } from './image-parameters.ts';
import { type Operation, type Parameter, type PathItem, type Response, referToSchema } from './open-api.ts';
import { referToHeaders } from './response-headers.ts';
import { buildErrorResponse } from './responses.ts';

const FILE_PATH = '/assets/{site}/{asset}/{version}/{name}';

const FILE: Response = {
  description: 'The file, or the image that the parameters specify.',
  headers: referToHeaders('ETag'),
  content: { '*/*': { schema: { description: 'The bytes of the file.' }, examples: {} } },
};

const GET: Operation = {
  operationId: 'getFile',
  tags: ['Files'],
  summary: 'Get a file or an image',
  description: [
    'The `url` of an uploaded asset, which the delivery API returns with the content. Without parameters, it is the original file. The order of the parameters does not matter, and unknown ones are ignored.',
    'The parameters transform JPEG, PNG, WebP, AVIF, GIF, TIFF and HEIC images. All other files are returned as they are. A response for the current version of the file may be cached for a year.',
  ].join('\n\n'),
  security: [],
  parameters: [
    describePart('site', 'The ID of the site.'),
    describePart('asset', 'The ID of the asset.'),
    describePart('version', 'Identifies the file. If somebody replaces it, the asset gets a new `url`.'),
    describePart('name', 'The name of the file.'),
    ...IMAGE_PARAMETERS,
  ],
  responses: {
    '200': FILE,
    '206': { ...FILE, description: 'The part of the file that the `Range` header asks for.' },
    '304': {
      description: 'The version in `If-None-Match` is still current. There is no body.',
      headers: referToHeaders('ETag'),
    },
    '403': buildErrorResponse('The site allows only presets and signed URLs.', ['imageSignatureNeeded']),
    '404': buildErrorResponse('There is no such file.', ['notFound']),
    '416': buildErrorResponse('The file ends before the range that the `Range` header asks for.', [
      'rangeNotSatisfiable',
    ]),
    '422': buildWrongImageResponse(),
    '429': buildErrorResponse(
      'Clients at the same address have requested too many new images, or images that take too long to generate. Existing images are always returned.',
      ['tooManyRequests'],
      'Retry-After',
    ),
    '500': { $ref: '#/components/responses/ServerError' },
    '503': buildErrorResponse(
      'Too many images are being generated, or the image took too long.',
      ['serviceUnavailable'],
      'Retry-After',
    ),
  },
};

export const FILE_PATHS: Readonly<Record<string, PathItem>> = { [FILE_PATH]: { get: GET } };

function describePart(name: string, description: string): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', minLength: 1 } };
}

/** The only error whose message varies. */
function buildWrongImageResponse(): Response {
  const value = { message: 'The w parameter is "0"; it must be a whole number from 1 to 8192.' };
  return {
    description:
      'A parameter is invalid, the result would have more than 40 megapixels, or the original is damaged. The message says which.',
    headers: referToHeaders(),
    content: { 'application/json': { schema: referToSchema('Error'), examples: { w: { summary: 'w=0', value } } } },
  };
}

// The routes of the tus protocol. They use headers instead of JSON bodies, so `resumable-uploads.ts` serves them in its own way. The
// OpenAPI document and the table of permissions are derived from these descriptions.

import type { Audience } from '../route.ts';

export interface ResumableRoute {
  readonly operationId: string;
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly who: Audience;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The request headers, except `Tus-Resumable`. */
  readonly headers: readonly RequestHeader[];
  /** Whether the body is a part of the file. */
  readonly takesBytes: boolean;
  readonly status: 200 | 201 | 204;
  /** The headers of a successful response, except `Tus-Resumable`. */
  readonly answer: readonly AnswerHeader[];
  /** Refusals in addition to those that all of these routes can return. */
  readonly refusals: readonly (409 | 413)[];
}

export type RequestHeader = 'Upload-Length' | 'Upload-Metadata' | 'Upload-Offset';
export type AnswerHeader = 'Location' | 'Upload-Length' | 'Upload-Offset' | 'Upload-Expires';

const shared = { who: 'member', tag: 'Assets', takesBytes: false } as const;
const uploads = '/sites/{site}/uploads';
const upload = `${uploads}/{upload}`;

export const RESUMABLE_ROUTES: readonly ResumableRoute[] = [
  {
    ...shared,
    operationId: 'beginUpload',
    method: 'POST',
    path: uploads,
    summary: 'Begin a resumable upload',
    description:
      'Large files can be sent in parts with version 1.0.0 of the tus protocol (https://tus.io). An upload belongs to the caller who began it, and to one site. It expires 24 hours after its last byte has arrived. Once it is complete, `createAsset` or `replaceAssetFile` accepts its id as `upload`. A caller can have up to 100 unfinished uploads; further ones are refused with 413 (`limit_reached`).',
    headers: ['Upload-Length', 'Upload-Metadata'],
    status: 201,
    answer: ['Location', 'Upload-Offset', 'Upload-Expires'],
    refusals: [413],
  },
  {
    ...shared,
    operationId: 'getUpload',
    method: 'HEAD',
    path: upload,
    summary: 'Read how many bytes of a resumable upload have arrived',
    description: 'Also ends any request that is still adding bytes, because its client must have lost the connection.',
    headers: [],
    status: 200,
    answer: ['Upload-Length', 'Upload-Offset', 'Upload-Expires'],
    refusals: [],
  },
  {
    ...shared,
    operationId: 'continueUpload',
    method: 'PATCH',
    path: upload,
    summary: 'Add bytes to a resumable upload',
    description:
      'Returns 409 (`wrong_offset`) if `Upload-Offset` is not the number of bytes that have arrived so far; `details.offset` contains it. If the connection is lost, the bytes that have arrived are kept.',
    headers: ['Upload-Offset'],
    takesBytes: true,
    status: 204,
    answer: ['Upload-Offset', 'Upload-Expires'],
    refusals: [409, 413],
  },
  {
    ...shared,
    operationId: 'cancelUpload',
    method: 'DELETE',
    path: upload,
    summary: 'Discard a resumable upload',
    description: 'Its bytes are removed from the file store.',
    headers: [],
    status: 204,
    answer: [],
    refusals: [],
  },
];

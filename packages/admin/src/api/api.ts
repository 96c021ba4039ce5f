// A client for the management API, with types from its OpenAPI document: `readAnswer(api.GET('/manage/v1/sites/{site}', …))`.

import type { ManagementPageBody, ManagementPaths } from '@galley/wire';
import createClient from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { sendRequest } from './send-request.ts';

export const api = createClient<ManagementPaths>({ baseUrl: window.location.origin, fetch: sendRequest });

interface Reply<Answer> {
  readonly data?: Answer;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a successful call, and throws an ApiError or a ConnectionError if the call fails. */
export async function readAnswer<Answer>(call: Promise<Reply<Answer>>): Promise<Answer> {
  const reply = await call;
  if (!isAnswered(reply)) throw new ApiError(reply.response.status, reply.error);
  return reply.data;
}

/** A body with the ETag of its response. */
export type Tagged<Answer> = Answer & { readonly etag: string };

/**
 * Like `readAnswer`, for resources that several people may change. Send the ETag as `If-Match`, so as not to overwrite somebody else's
 * changes.
 */
export async function readTagged<Answer>(call: Promise<Reply<Answer>>): Promise<Tagged<Answer>> {
  const answer = await readAnswer(call);
  const { response } = await call;
  return { ...answer, etag: response.headers.get('etag') ?? '' };
}

function isAnswered<Answer>(reply: Reply<Answer>): reply is Reply<Answer> & { readonly data: Answer } {
  return reply.response.ok;
}

/** The start and the length of a page in a list. The first page has no cursor. */
export interface PagePosition {
  readonly limit: string;
  readonly cursor?: string;
}

const LIMIT = '100';

/** Reads all pages of a list that is always short, such as an account's sites. */
export async function readAllPages<Item>(
  readPage: (position: PagePosition) => Promise<ManagementPageBody<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let position: PagePosition | undefined = { limit: LIMIT };
  while (position !== undefined) {
    const { data, next_cursor: cursor }: ManagementPageBody<Item> = await readPage(position);
    items.push(...data);
    position = cursor === null ? undefined : { limit: LIMIT, cursor };
  }
  return items;
}

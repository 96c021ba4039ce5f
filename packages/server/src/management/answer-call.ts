// Responds to a call to the management API. The call, its response and its failure are plain data, so a separate thread can do the work.

import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { Actor } from '../authoring/actor.ts';
import { refuseFaults } from '../authoring/authoring-refusal.ts';
import type { Desk } from '../authoring/desk.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { strictMembers } from '../content/schema-members.ts';
import { readRawQuery } from '../listing/query-parameters.ts';
import { againIfLost } from '../storage/retry.ts';
import type { TakenFile } from '../uploads/take-file.ts';
import { parseBody, parseQuery } from './parse-request.ts';
import { buildEtag, findState, findTarget, parseIfMatch, prepareDesk } from './precondition.ts';
import { type Call, type Client, type Route, takesIdempotencyKey } from './route.ts';
import { MANAGEMENT_ROUTES } from './routes.ts';
import { parseIdempotencyKey, runOnce, type Served, useUploadOnce } from './run-once.ts';

/** A call whose caller is authenticated and authorized. */
export interface AdmittedCall {
  /** The index of its route in `MANAGEMENT_ROUTES`. */
  readonly routeNo: number;
  /** Whether the call saves nothing. */
  readonly isRead: boolean;
  readonly actor: Actor | undefined;
  readonly client: Client;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The URL as sent, including the query. */
  readonly url: string;
  readonly body: Uint8Array | undefined;
  /** Takes the place of the body if the call has files. */
  readonly form?: ReceivedForm;
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** The fields and files of a form. Only the main thread handles calls that include files. */
export interface ReceivedForm {
  /** The fields as the route's schema returns them. */
  readonly fields: unknown;
  readonly files: readonly TakenFile[];
  /** The resumable upload that the files come from. No other call can use it afterwards. */
  readonly upload?: string;
  /** Two forms have the same digest if and only if they have the same fields and files. */
  readonly digest: Uint8Array;
}

/** The response with its body as bytes, which can be passed between threads without being copied. */
export interface ServedBytes extends Omit<Served, 'body'> {
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export type SetHeader = Call<unknown, unknown>['setHeader'];

/** Dependencies that routes need to respond to calls. */
export type CallTools = Pick<
  Call<unknown, unknown>,
  'desk' | 'delivery' | 'entrance' | 'readTraffic' | 'uploads' | 'headerPrefix'
>;

/**
 * The schemas for routes without a query or a body. They reject a request that has either, because the caller would expect the query or
 * body to have an effect.
 */
const NOTHING = { query: strictMembers('the query', {}), body: strictMembers('the body', {}) };

/** Rejects with an `AuthoringRefusal`, a `ProblemError` or a `StorageUnavailable` if the call cannot be carried out. */
export async function answerCall(tools: CallTools, call: AdmittedCall, setHeader: SetHeader): Promise<Served> {
  const { actor, client, path, url, form } = call;
  const route = findRoute(call);
  const { query, condition, key } = parseHead(route, call);
  const body =
    route.method === 'GET' || form !== undefined
      ? undefined
      : parse(route.body ?? NOTHING.body, parseBody(call.body), '');
  const perform = async (bench: Desk): Promise<Served> => {
    const caller = { ...tools, desk: bench, actor, path, client, setHeader };
    const guarded = prepareDesk(caller, findTarget(route, MANAGEMENT_ROUTES), condition);
    const ready = { ...caller, desk: guarded, query };
    const outcome = await (form === undefined || route.form === undefined
      ? route.run({ ...ready, body })
      : route.form.run({ ...ready, body: form.fields, files: form.files }));
    await setImmediate();
    const state = findState(route, MANAGEMENT_ROUTES);
    const answer = route.render === undefined ? outcome : route.render(outcome);
    return {
      status: route.answer === null ? 204 : route.status,
      etag: state === undefined ? null : buildEtag(state(outcome)),
      body: route.answer === null ? null : JSON.stringify(answer),
    };
  };
  const upload = form?.upload;
  const performOnce = (bench: Desk): Promise<Served> =>
    upload === undefined || actor === undefined ? perform(bench) : useUploadOnce(bench, actor, upload, perform);
  // The call is parsed, run and answered in separate turns of the event loop, so other requests wait for only one of them.
  await setImmediate();
  if (call.isRead) return againIfLost(() => perform(tools.desk));
  if (key === undefined || actor === undefined) return performOnce(tools.desk);
  const keyed = {
    key,
    actor,
    method: route.method,
    url,
    body: form === undefined ? call.body : form.digest,
    isKept: route.repeatGets !== 'refusal',
  };
  const { isReplayed, ...served } = await runOnce(tools.desk, keyed, performOnce);
  if (isReplayed) setHeader('idempotent-replayed', 'true');
  return served;
}

/** Everything but the body. If any of this is invalid, a call that includes files is refused before its files are read. */
export function parseHead(route: Route, { url, ifMatch, idempotencyKey }: Omit<AdmittedCall, 'body'>) {
  return {
    query: parse(route.query ?? NOTHING.query, parseQuery(readRawQuery(url)), 'query'),
    condition: route.method === 'GET' ? undefined : parseIfMatch(ifMatch),
    key: takesIdempotencyKey(route) ? parseIdempotencyKey(idempotencyKey) : undefined,
  };
}

function findRoute({ routeNo }: AdmittedCall): Route {
  const route = MANAGEMENT_ROUTES[routeNo];
  if (route === undefined) throw new Error(`There is no route ${routeNo}`);
  return route;
}

/** @param place the prefix for paths in faults; empty for the body itself */
export function parse<Value>(schema: z.ZodType<Value>, given: unknown, place: string): Value {
  const parsed = parseWithSchema(schema, given === undefined ? {} : given, place);
  if (!parsed.ok) throw refuseFaults(parsed.problem);
  return parsed.value;
}

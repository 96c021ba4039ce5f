// Responds to a call to the management API. The call, its response and its failure are plain data, so a separate thread can do the work.

import { setImmediate } from 'node:timers/promises';
import type { Actor } from '../authoring/actor.ts';
import { refuseFaults } from '../authoring/authoring-refusal.ts';
import type { Desk } from '../authoring/desk.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { strictMembers } from '../content/schema-members.ts';
import { readRawQuery } from '../listing/query-parameters.ts';
import { againIfLost } from '../storage/retry.ts';
import { parseBody, parseQuery } from './parse-request.ts';
import { buildEtag, findState, findTarget, parseIfMatch, prepareDesk } from './precondition.ts';
import { type Call, type Client, type Method, type Route, takesIdempotencyKey } from './route.ts';
import { MANAGEMENT_ROUTES } from './routes.ts';
import { parseIdempotencyKey, runOnce, type Served } from './run-once.ts';

/** A call whose caller is authenticated and authorized. */
export interface AdmittedCall {
  /** The index of its route in `MANAGEMENT_ROUTES`. */
  readonly routeNo: number;
  readonly method: Method;
  readonly actor: Actor | undefined;
  readonly client: Client;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The URL as sent, including the query. */
  readonly url: string;
  readonly body: Uint8Array | undefined;
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** The response with its body as bytes, which can be passed between threads without being copied. */
export interface ServedBytes extends Omit<Served, 'body'> {
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export type SetHeader = Call<unknown, unknown>['setHeader'];

/** Dependencies that routes need to respond to calls. */
export type CallTools = Pick<Call<unknown, unknown>, 'desk' | 'deliver' | 'entrance' | 'readTraffic'>;

/** For routes without a query or a body. They reject a request that has one, because its caller would expect it to have an effect. */
const NOTHING = { query: strictMembers('the query', {}), body: strictMembers('the body', {}) };

/** Rejects with an `AuthoringRefusal`, a `ProblemError` or a `StorageUnavailable` if the call cannot be carried out. */
export async function answerCall(tools: CallTools, call: AdmittedCall, setHeader: SetHeader): Promise<Served> {
  const { actor, client, path, url } = call;
  const route = findRoute(call);
  const query = parse(route.query ?? NOTHING.query, parseQuery(readRawQuery(url)), 'query');
  const body = route.method === 'GET' ? undefined : parse(route.body ?? NOTHING.body, parseBody(call.body), '');
  const condition = route.method === 'GET' ? undefined : parseIfMatch(call.ifMatch);
  const perform = async (bench: Desk): Promise<Served> => {
    const caller = { ...tools, desk: bench, actor, path, client, setHeader };
    const guarded = prepareDesk(caller, findTarget(route, MANAGEMENT_ROUTES), condition);
    const outcome = await route.run({ ...caller, desk: guarded, query, body });
    await setImmediate();
    const state = findState(route, MANAGEMENT_ROUTES);
    const answer = route.render === undefined ? outcome : route.render(outcome);
    return {
      status: route.answer === null ? 204 : route.status,
      etag: state === undefined ? null : buildEtag(state(outcome)),
      body: route.answer === null ? null : JSON.stringify(answer),
    };
  };
  // Parsing the call, running it and writing the response are separate event loop turns, so other requests wait for only one of them.
  await setImmediate();
  const key = takesIdempotencyKey(route) ? parseIdempotencyKey(call.idempotencyKey) : undefined;
  if (route.method === 'GET') return againIfLost(() => perform(tools.desk));
  if (key === undefined || actor === undefined) return perform(tools.desk);
  const keyed = {
    key,
    actor,
    method: route.method,
    url,
    body: call.body,
    isKept: route.repeatGets !== 'refusal',
  };
  const { isReplayed, ...served } = await runOnce(tools.desk, keyed, perform);
  if (isReplayed) setHeader('idempotent-replayed', 'true');
  return served;
}

function findRoute({ routeNo }: AdmittedCall): Route {
  const route = MANAGEMENT_ROUTES[routeNo];
  if (route === undefined) throw new Error(`There is no route ${routeNo}`);
  return route;
}

/** @param place the prefix for paths in faults; empty for the body itself */
function parse(schema: NonNullable<Route['body']>, given: unknown, place: string): unknown {
  const parsed = parseWithSchema(schema, given === undefined ? {} : given, place);
  if (!parsed.ok) throw refuseFaults(parsed.problem);
  return parsed.value;
}

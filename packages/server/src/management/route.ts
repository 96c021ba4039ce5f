// What a route of the management API is: one value that says who may call it, what it takes and what it answers. The
// server, the OpenAPI document and the table of rights are all made from it.

import type { DeliveredContentBody } from '@galley/wire';
import type { z } from 'zod';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { TrafficMinute } from '../http/traffic.ts';
import type { Procedure } from '../storage/port.ts';
import type { Entrance } from './session/entrance.ts';

/** The least that a caller must be. `anyone` needs no session, `member` is any role. */
export type Audience = 'anyone' | 'member' | 'owner';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Reads content as the delivery API would answer it, whoever asks. Undefined where that would take too long here. */
export type DeliverContent = (siteNo: number, contentId: string) => Procedure<DeliveredContentBody | undefined>;

/** While a GET was answered, it turned out to be large: nobody else may have to wait for it. */
export class LargeCall extends Error {
  override readonly name = 'LargeCall';
}

/** What was read of an account's sites in the last hour. */
export type ReadTraffic = (accountNo: number) => Promise<readonly TrafficMinute[]>;

/** A call, parsed: nothing in it is as the client sent it. */
export interface Call<Query, Body, Who = Actor> {
  readonly desk: Desk;
  readonly actor: Who;
  /** The parts of the path that stand in braces. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly client: Client;
  readonly entrance: Entrance;
  readonly readTraffic: ReadTraffic;
  readonly deliver: DeliverContent;
  /** Sets a header of the answer. Of cookies there may be several. */
  readonly setHeader: (name: string, value: string) => void;
}

export interface Client {
  readonly address: string;
  readonly agent: string | null;
  /** Whether the request came over TLS, as far as we may believe it. */
  readonly isSecure: boolean;
  /** The token of the session cookie, where there is one. */
  readonly sessionToken: string | undefined;
  /** The cookie of a known device, where there is one. */
  readonly deviceCookie: string | undefined;
}

export interface RouteDefinition<Query, Body, Who extends Audience, Answer, Outcome = Answer> {
  readonly method: Method;
  /** Below /manage/v1, with parameters in braces: `/sites/{site}/authors/{author}`. */
  readonly path: string;
  readonly who: Who;
  /** A group in the explorer, like `Sites`. */
  readonly tag: string;
  /** A line for the explorer, and a paragraph where a line does not do. */
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType<Query>;
  /** What the body must be; a route without one takes none. */
  readonly body?: z.ZodType<Body>;
  /** The status and body of success. A null schema is an answer without a body, 204. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType<Answer> | null;
  /** Which refusals it has beyond those that every route of its kind has: 404, 409, 422, 429. */
  readonly refusals?: readonly (404 | 409 | 422 | 429)[];
  /** All that writes change of the outcome, also what the answer does not show. The ETag is made of it; without this there is none. */
  readonly state?: (outcome: Outcome) => unknown;
  /** The path of what a write changes, where GET does not answer with it at the nearest path above the write's own. */
  readonly changes?: string;
  /**
   * What a repeat with the same `Idempotency-Key` gets: the answer of before, unless this says otherwise. `refusal`: the answer
   * has a secret, so it is not stored. `nothing`: the key has no effect here.
   */
  readonly repeatGets?: 'refusal' | 'nothing';
  readonly run: (call: Call<Query, Body, Who extends 'anyone' ? Actor | undefined : Actor>) => Promise<Outcome>;
  /** The answer to an outcome; without this the outcome is the answer. */
  readonly render?: (outcome: Outcome) => Answer;
}

/** A route as the server and the documents see it: what it takes is known only to its own schemas. */
export interface Route extends Omit<RouteDefinition<unknown, unknown, Audience, unknown>, 'run'> {
  readonly run: (call: Call<unknown, unknown, Actor | undefined>) => Promise<unknown>;
}

/** Whether a call may carry an `Idempotency-Key`. Whoever is not signed in has no name to store it under. */
export function takesIdempotencyKey({ method, who, repeatGets }: Route): boolean {
  return method !== 'GET' && who !== 'anyone' && repeatGets !== 'nothing';
}

export function defineRoute<Query = undefined, Body = undefined, Who extends Audience = Audience, Answer = unknown>(
  definition: RouteDefinition<Query, Body, Who, Answer>,
): Route;
export function defineRoute<
  Query = undefined,
  Body = undefined,
  Who extends Audience = Audience,
  Answer = unknown,
  Outcome = unknown,
>(
  definition: RouteDefinition<Query, Body, Who, Answer, Outcome> & { readonly render: (outcome: Outcome) => Answer },
): Route;
export function defineRoute<Query, Body, Who extends Audience, Answer, Outcome>(
  definition: RouteDefinition<Query, Body, Who, Answer, Outcome>,
): Route {
  // The server calls `run` only with what the route's own schemas and `who` have let through.
  return definition as unknown as Route;
}

// A management API route is a single value that defines who may call it, what it accepts and what it returns. The server, the OpenAPI
// document, the types and the table of permissions are derived from it.

import type { DeliveredContentBody } from '@galley/wire';
import type { z } from 'zod';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { TrafficMinute } from '../http/traffic.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Entrance } from './session/entrance.ts';

/** The path of the management API. */
export const MANAGEMENT_ROOT = '/manage/v1';

/** Who may call a route. `anyone` requires no session; `member` means any role. */
export type Audience = 'anyone' | 'member' | 'owner';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Reads content in the form that the delivery API returns. Undefined if that would take too long on this thread. */
export type DeliverContent = (
  siteNo: number,
  contentId: string,
  baseUrl: string,
) => Procedure<DeliveredContentBody | undefined>;

/** The response to a GET turned out to be large, so it must be built on a separate thread. */
export class LargeCall extends Error {
  override readonly name = 'LargeCall';
}

/** The traffic for an account's sites in the last hour. */
export type ReadTraffic = (accountNo: number) => Promise<readonly TrafficMinute[]>;

/** A parsed call, which contains no raw input. */
export interface Call<Query, Body, Who = Actor> {
  readonly desk: Desk;
  readonly actor: Who;
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly client: Client;
  readonly entrance: Entrance;
  readonly readTraffic: ReadTraffic;
  readonly deliver: DeliverContent;
  /** Sets a response header. Several cookies can be set. */
  readonly setHeader: (name: string, value: string) => void;
}

export interface Client {
  readonly address: string;
  readonly agent: string | null;
  /** Whether the request came over TLS, according to headers that we trust. */
  readonly isSecure: boolean;
  /** The base of our URLs, as this client sees it. */
  readonly baseUrl: string;
  /** The session token from the cookie, if there is one. */
  readonly sessionToken: string | undefined;
  /** The cookie that identifies a known device, if there is one. */
  readonly deviceCookie: string | undefined;
}

export interface RouteDefinition<Query, Body, Who extends Audience, Answer, Outcome = Answer> {
  /** The name of the operation in generated clients: a verb and a noun, like `publishContent`. */
  readonly operationId: string;
  readonly method: Method;
  /** The path under /manage/v1, with parameters in braces: `/sites/{site}/authors/{author}`. */
  readonly path: string;
  readonly who: Who;
  /** The group in the explorer, like `Sites`. */
  readonly tag: string;
  /** A one-line summary for the explorer, and a longer description if needed. */
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType<Query>;
  /** The schema of the body; a route without one accepts no body. */
  readonly body?: z.ZodType<Body>;
  /** The status and body of a successful response. Null means no body, with status 204. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType<Answer> | null;
  /** Refusals that the route can return in addition to those that all similar routes can return. */
  readonly refusals?: readonly (404 | 409 | 422 | 429)[];
  /**
   * All data in the outcome that writes can change, even if the response omits it. The ETag is computed from it; without it, there is no
   * ETag.
   */
  readonly state?: (outcome: Outcome) => unknown;
  /** The path of the object that a write changes, unless it is the nearest parent with a GET route. */
  readonly changes?: string;
  /**
   * The response to a repeated call with the same `Idempotency-Key`. By default, it is the first response. `refusal`: the first response
   * contains a secret, so it is not stored. `nothing`: the key has no effect here.
   */
  readonly repeatGets?: 'refusal' | 'nothing';
  readonly run: (call: Call<Query, Body, Who extends 'anyone' ? Actor | undefined : Actor>) => Promise<Outcome>;
  /** Converts an outcome into a response; without this, the outcome is the response. */
  readonly render?: (outcome: Outcome) => Answer;
}

/** A route as the server and the document see it: only its own schemas know its input types. */
export interface Route extends Omit<RouteDefinition<unknown, unknown, Audience, unknown>, 'run'> {
  readonly run: (call: Call<unknown, unknown, Actor | undefined>) => Promise<unknown>;
}

/** Whether a call may have an `Idempotency-Key`. Keys are stored per caller, so the caller must be known. */
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
  // The server calls `run` only with input that the route's own schemas and `who` have accepted.
  return definition as unknown as Route;
}

// A route of the management API is one value that says who may call it, what it accepts and what it answers. The server, the
// OpenAPI document, the types and the table of rights are made from it.

import type { DeliveredContentBody } from '@galley/wire';
import type { z } from 'zod';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { TrafficMinute } from '../http/traffic.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Entrance } from './session/entrance.ts';

/** The path of the management API. */
export const MANAGEMENT_ROOT = '/manage/v1';

/** Who may call a route. `anyone` needs no session, `member` is any role. */
export type Audience = 'anyone' | 'member' | 'owner';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Reads content as the delivery API answers it. Undefined if that would take too long on this thread. */
export type DeliverContent = (siteNo: number, contentId: string) => Procedure<DeliveredContentBody | undefined>;

/** The response to a GET turned out to be large, so a thread must make it. */
export class LargeCall extends Error {
  override readonly name = 'LargeCall';
}

/** The traffic of an account's sites in the last hour. */
export type ReadTraffic = (accountNo: number) => Promise<readonly TrafficMinute[]>;

/** A parsed call: nothing in it is raw input. */
export interface Call<Query, Body, Who = Actor> {
  readonly desk: Desk;
  readonly actor: Who;
  /** The parts of the path that are in braces. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly client: Client;
  readonly entrance: Entrance;
  readonly readTraffic: ReadTraffic;
  readonly deliver: DeliverContent;
  /** Sets a header of the response. Several cookies can be set. */
  readonly setHeader: (name: string, value: string) => void;
}

export interface Client {
  readonly address: string;
  readonly agent: string | null;
  /** Whether the request came over TLS, as far as we can trust the headers. */
  readonly isSecure: boolean;
  /** The token of the session cookie, if there is one. */
  readonly sessionToken: string | undefined;
  /** The cookie of a known device, if there is one. */
  readonly deviceCookie: string | undefined;
}

export interface RouteDefinition<Query, Body, Who extends Audience, Answer, Outcome = Answer> {
  /** The name of the call in generated clients: a verb and a noun, like `publishContent`. */
  readonly operationId: string;
  readonly method: Method;
  /** Below /manage/v1, with parameters in braces: `/sites/{site}/authors/{author}`. */
  readonly path: string;
  readonly who: Who;
  /** A group in the explorer, like `Sites`. */
  readonly tag: string;
  /** A line for the explorer, and a paragraph if a line is not enough. */
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType<Query>;
  /** The schema of the body; a route without one accepts no body. */
  readonly body?: z.ZodType<Body>;
  /** The status and body of success. Null means no body, 204. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType<Answer> | null;
  /** Refusals that not every route of its kind has. */
  readonly refusals?: readonly (404 | 409 | 422 | 429)[];
  /** Everything in the outcome that writes can change, even if the answer does not show it. The ETag is made from it; without it there is none. */
  readonly state?: (outcome: Outcome) => unknown;
  /** The path of what a write changes, if it is not the nearest path above that GET answers. */
  readonly changes?: string;
  /**
   * What a repeat with the same `Idempotency-Key` gets: the first answer, unless this says otherwise. `refusal`: the answer
   * has a secret, so it is not stored. `nothing`: the key has no effect here.
   */
  readonly repeatGets?: 'refusal' | 'nothing';
  readonly run: (call: Call<Query, Body, Who extends 'anyone' ? Actor | undefined : Actor>) => Promise<Outcome>;
  /** The answer to an outcome; without this the outcome is the answer. */
  readonly render?: (outcome: Outcome) => Answer;
}

/** A route as the server and the document see it: only its own schemas know what it accepts. */
export interface Route extends Omit<RouteDefinition<unknown, unknown, Audience, unknown>, 'run'> {
  readonly run: (call: Call<unknown, unknown, Actor | undefined>) => Promise<unknown>;
}

/** Whether a call may have an `Idempotency-Key`. Keys are stored by caller, so the caller must be known. */
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

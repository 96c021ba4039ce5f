// A management API route is a single value that defines who may call it, what it accepts and what it returns. The server, the OpenAPI
// document, the types and the table of permissions are derived from it.

import type { DeliveredContentBody } from '@galley/wire';
import type { z } from 'zod';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { TrafficMinute } from '../http/traffic.ts';
import type { Procedure } from '../storage/statement.ts';
import type { TakenFile, UploadRules } from '../uploads/take-file.ts';
import type { Uploader } from '../uploads/uploader.ts';
import type { Entrance } from './session/entrance.ts';

/** The path of the management API. */
export const MANAGEMENT_ROOT = '/manage/v1';

/** Who may call a route. `anyone` requires no session; `member` means any role. */
export type Audience = 'anyone' | 'member' | 'owner';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Renders content as the delivery API does. Returns undefined if that would take too long on this thread. */
export interface ContentDelivery {
  readonly deliver: (wanted: WantedContent) => Procedure<DeliveredContentBody | undefined>;
  /** @param body a typeset body to use instead of the saved one; null for the saved one */
  readonly preview: (
    wanted: WantedContent,
    body: string | null,
  ) => Procedure<Readonly<Record<string, unknown>> | null | undefined>;
}

export interface WantedContent {
  readonly siteNo: number;
  readonly id: string;
  /** The base of our URLs, as the client sees it. */
  readonly baseUrl: string;
  /** Whether a preview has marks and a source map. */
  readonly isMarked: boolean;
}

/** The response turned out to be large, so it must be built on a separate thread. */
export class LargeCall extends Error {
  override readonly name = 'LargeCall';
}

/** The traffic for an account's sites in the last hour. */
export type ReadTraffic = (accountNo: number) => Promise<readonly TrafficMinute[]>;

/** Where uploaded files arrive. */
export interface Uploads {
  /** The limit that the operator has set for one file. */
  readonly mostBytes: number;
  /** Opens the uploader on the first call. */
  open(): Promise<Uploader>;
}

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
  readonly delivery: ContentDelivery;
  readonly uploads: Uploads;
  /** The prefix of the delivery API's own headers, like `X-SERVICE`. */
  readonly headerPrefix: string;
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

/**
 * A call with files in a form, or with a resumable upload. The files are in the store, but not yet part of any asset. There are no files if
 * the upload does not exist.
 */
export interface FormCall<Query, Fields, Who = Actor> extends Call<Query, Fields, Who> {
  /** In the order in which they were sent. */
  readonly files: readonly TakenFile[];
}

/** Makes a route accept a form (`multipart/form-data`) with files, as an alternative to JSON. */
export interface FormDefinition<Query, Fields, Who, Answer, Outcome> {
  /** The schema of the fields, which come before the files. */
  readonly fields: z.ZodType<Fields>;
  /** Fields that may be repeated. */
  readonly lists: readonly string[];
  readonly mostFiles: number;
  /**
   * The schema of a JSON body that has a complete resumable upload instead of a file. In addition to `upload`, the body has the form's
   * fields.
   */
  readonly resumed: z.ZodType<{ readonly upload: string }>;
  /** The response body, if it differs from the one for a JSON request. */
  readonly answer?: z.ZodType<Answer>;
  /** Checks everything that can be checked before the files arrive, and says which files are allowed. */
  readonly admit: (call: Pick<Call<Query, Fields, Who>, 'desk' | 'actor' | 'path' | 'uploads'>) => Promise<UploadRules>;
  readonly run: (call: FormCall<Query, Fields, Who>) => Promise<Outcome>;
}

type Caller<Who extends Audience> = Who extends 'anyone' ? Actor | undefined : Actor;

export interface RouteDefinition<Query, Body, Who extends Audience, Answer, Outcome = Answer, Fields = unknown> {
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
  readonly form?: FormDefinition<Query, Fields, Caller<Who>, unknown, unknown>;
  /** Whether the route uses `uploads`, which only the main thread has. Its JSON bodies must be small. */
  readonly usesUploads?: boolean;
  /** Whether every call adds a file to the store, and therefore waits for a turn like an upload. */
  readonly takesFile?: boolean;
  /** The status and body of a successful response. Null means no body, with status 204. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType<Answer> | null;
  /** Refusals that the route can return in addition to those that all similar routes can return. */
  readonly refusals?: readonly (404 | 409 | 422 | 429)[];
  /**
   * All data in the outcome that writes can change, even if the response omits it. The ETag is computed from this data; without it, there
   * is no ETag.
   */
  readonly state?: (outcome: Outcome) => unknown;
  /** The path of the object that a write changes. By default, it is the nearest parent with a GET route. */
  readonly changes?: string;
  /**
   * The response to a repeated call with the same `Idempotency-Key`. By default, it is the first response. `refusal`: the first response
   * contains a secret, so it is not stored. `nothing`: the key has no effect here.
   */
  readonly repeatGets?: 'refusal' | 'nothing';
  /** Whether calls save nothing, and use a method other than GET only because they need a body. */
  readonly savesNothing?: true;
  readonly run: (call: Call<Query, Body, Caller<Who>>) => Promise<Outcome>;
  /** Converts an outcome into a response; without this, the outcome is the response. */
  readonly render?: (outcome: Outcome) => Answer;
}

/** A route as the server and the document see it, without its input types, which only the route's own schemas define. */
export interface Route extends Omit<RouteDefinition<unknown, unknown, Audience, unknown>, 'run' | 'form'> {
  readonly form?: FormDefinition<unknown, unknown, Actor | undefined, unknown, unknown>;
  readonly run: (call: Call<unknown, unknown, Actor | undefined>) => Promise<unknown>;
}

/** The parts of a route that decide who may call it. */
export type GuardedRoute = Pick<Route, 'method' | 'who' | 'form' | 'savesNothing'>;

/** Whether calls only read data. Such calls can be repeated safely, and a failed call has certainly saved nothing. */
export function isRead({ method, savesNothing }: GuardedRoute): boolean {
  return method === 'GET' || savesNothing === true;
}

/** Whether a call may have an `Idempotency-Key`. Keys are stored per caller, so the caller must be known. */
export function takesIdempotencyKey(route: Route): boolean {
  return !isRead(route) && route.who !== 'anyone' && route.repeatGets !== 'nothing';
}

export function defineRoute<
  Query = undefined,
  Body = undefined,
  Who extends Audience = Audience,
  Answer = unknown,
  Fields = undefined,
>(definition: RouteDefinition<Query, Body, Who, Answer, Answer, Fields>): Route;
export function defineRoute<
  Query = undefined,
  Body = undefined,
  Who extends Audience = Audience,
  Answer = unknown,
  Outcome = unknown,
>(
  definition: RouteDefinition<Query, Body, Who, Answer, Outcome> & { readonly render: (outcome: Outcome) => Answer },
): Route;
export function defineRoute<Query, Body, Who extends Audience, Answer, Outcome, Fields>(
  definition: RouteDefinition<Query, Body, Who, Answer, Outcome, Fields>,
): Route {
  // The server calls `run` only with input that the route's own schemas and `who` have accepted.
  return definition as unknown as Route;
}

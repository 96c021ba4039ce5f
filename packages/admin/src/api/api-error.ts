// Errors that the management API returns, and errors that keep the panel from reaching it.

import type { FaultBody } from '@galley/wire';

/** An error in the request, at a path such as `name`, `languages[1]` or `fields.title.text`. */
export type Fault = Pick<FaultBody, 'path' | 'message'> & Partial<FaultBody>;

export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly faults: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown) {
    super(readMessage(body) ?? `The service responded with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = isObject(body) && typeof body.code === 'string' ? body.code : undefined;
    this.faults = readFaults(body);
    this.details = isObject(body) && isObject(body.details) ? body.details : {};
  }
}

/** The service could not be reached: there is no network, or the service is down. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
    this.name = 'ConnectionError';
  }
}

/** The service is up, but the browser could not load the code for a page. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded.', { cause });
    this.name = 'PageNotLoaded';
  }
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** The request conflicts with stored data; `details` describes the conflict. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}

/** Somebody else has changed the resource since it was read. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Content named in an error's details. */
export interface NamedContent {
  readonly id: string;
  readonly name: string;
}

export function isNamedContent(value: unknown): value is NamedContent {
  return isObject(value) && typeof value.id === 'string' && typeof value.name === 'string';
}

function readMessage(body: unknown): string | undefined {
  return isObject(body) && typeof body.message === 'string' ? body.message : undefined;
}

export function readFaults(body: unknown): readonly Fault[] {
  return isObject(body) && Array.isArray(body.errors) ? body.errors.filter(isFault) : [];
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

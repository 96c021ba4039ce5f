// Parses the parameters of the change feed and of its stream.

import type { Catalog } from '../content/catalog.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { type ChangePosition, decodePosition } from './change-position.ts';
import { parseInteger } from './list-query.ts';
import {
  parseFilterValues,
  parseQueryParameters,
  parseSingleValue,
  type QueryParameters,
  quote,
} from './query-parameters.ts';

export interface ChangeQuery {
  /** Null for a full sync. */
  readonly since: ChangePosition | null;
  /** Handles of content types; null means all types. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: number;
  readonly hasContent: boolean;
  readonly waitMs: number;
}

export const CHANGE_LIMITS = { limit: { default: 100, most: 1000 }, waitSeconds: 30 } as const;

const PARAMETERS: ReadonlySet<string> = new Set(['since', 'content_type', 'limit', 'include', 'wait']);
const STREAM_PARAMETERS: ReadonlySet<string> = new Set(['since', 'content_type', 'include']);

export function parseChangeQuery(queryString: string): Result<ChangeQuery, string> {
  const parsed = parseQueryParameters(queryString, PARAMETERS);
  if (!parsed.ok) return parsed;
  const parameters = parsed.value;
  const selection = parseSelection(parameters);
  if (!selection.ok) return selection;
  const { limit: limits, waitSeconds } = CHANGE_LIMITS;
  const limit = parseInteger('limit', parameters, limits.default, limits.most);
  if (!limit.ok) return limit;
  const wait = parseInteger('wait', parameters, 0, waitSeconds);
  if (!wait.ok) return wait;
  return ok(Object.freeze({ ...selection.value, limit: limit.value, waitMs: wait.value * 1000 }));
}

/** @param lastEventId the Last-Event-ID header. It is newer than `since`, because clients reconnect with the URL that they first used. */
export function parseStreamQuery(queryString: string, lastEventId: string | undefined): Result<ChangeQuery, string> {
  const parsed = parseQueryParameters(queryString, STREAM_PARAMETERS);
  if (!parsed.ok) return parsed;
  const selection = parseSelection(parsed.value);
  if (!selection.ok) return selection;
  const last = lastEventId === undefined ? selection.value.since : decodePosition(lastEventId);
  if (last === undefined) return fail('The Last-Event-ID header is not a position from the feed.');
  return ok(Object.freeze({ ...selection.value, since: last, limit: CHANGE_LIMITS.limit.default, waitMs: 0 }));
}

function parseSelection(parameters: QueryParameters): Result<Omit<ChangeQuery, 'limit' | 'waitMs'>, string> {
  const sinceText = parseSingleValue('since', parameters.get('since'));
  if (!sinceText.ok) return sinceText;
  const since = sinceText.value === undefined ? null : decodePosition(sinceText.value);
  if (since === undefined) return fail('The since parameter is not a position from the feed.');
  const typeTree = parameters.get('content_type');
  const types = typeTree === undefined ? ok(null) : parseFilterValues('content_type', typeTree);
  if (!types.ok) return types;
  const include = parseSingleValue('include', parameters.get('include'));
  if (!include.ok) return include;
  if (include.value !== undefined && include.value !== 'content')
    return fail(`The include parameter is ${quote(include.value)}; only content is allowed.`);
  return ok({ since, types: types.value && new Set(types.value), hasContent: include.value !== undefined });
}

/**
 * Finds a type that cannot have content: one that the site does not have, or a block type. In a full sync, such a type would empty the
 * reader's copy. A reader that follows the log may know a type that was deleted later: the reader still gets all changes, including the
 * deletion of that type's content, and keeps following its other types.
 * @param isUpToDate whether the log has no further changes for the reader
 */
export function findTypeFault(
  { since, types }: Pick<ChangeQuery, 'since' | 'types'>,
  { typesByHandle }: Catalog,
  isUpToDate: boolean,
): string | undefined {
  const handles = [...(types ?? [])];
  const hasNoContent = (handle: string): boolean => (typesByHandle.get(handle)?.objectType ?? 'block') === 'block';
  const wrong = handles.find(hasNoContent);
  if (wrong === undefined) return undefined;
  if (since?.mode === 'changes' && !(isUpToDate && handles.every(hasNoContent))) return undefined;
  return typesByHandle.has(wrong)
    ? `The content_type parameter names ${quote(wrong)}, which is a block type; blocks are part of other content.`
    : `The content_type parameter names ${quote(wrong)}; no content type of the site has this handle.`;
}

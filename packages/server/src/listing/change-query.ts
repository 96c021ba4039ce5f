// Parses the parameters of the change feed.

import { fail, ok, type Result } from '../content/result.ts';
import { type ChangePosition, decodePosition } from './change-position.ts';
import { parseInteger } from './list-query.ts';
import { parseFilterValues, parseQueryParameters, parseSingleValue, quote } from './query-parameters.ts';

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

export function parseChangeQuery(queryString: string): Result<ChangeQuery, string> {
  const parsed = parseQueryParameters(queryString, PARAMETERS);
  if (!parsed.ok) return parsed;
  const parameters = parsed.value;
  const sinceText = parseSingleValue('since', parameters.get('since'));
  if (!sinceText.ok) return sinceText;
  const since = sinceText.value === undefined ? null : decodePosition(sinceText.value);
  if (since === undefined) return fail('The since parameter is not a position that the feed has given.');
  const typeTree = parameters.get('content_type');
  const types = typeTree === undefined ? ok(null) : parseFilterValues('content_type', typeTree);
  if (!types.ok) return types;
  const { limit: limits, waitSeconds } = CHANGE_LIMITS;
  const limit = parseInteger('limit', parameters, limits.default, limits.most);
  if (!limit.ok) return limit;
  const include = parseSingleValue('include', parameters.get('include'));
  if (!include.ok) return include;
  if (include.value !== undefined && include.value !== 'content')
    return fail(`The include parameter is ${quote(include.value)}; only content is allowed.`);
  const wait = parseInteger('wait', parameters, 0, waitSeconds);
  if (!wait.ok) return wait;
  return ok(
    Object.freeze({
      since,
      types: types.value && new Set(types.value),
      limit: limit.value,
      hasContent: include.value !== undefined,
      waitMs: wait.value * 1000,
    }),
  );
}

// Turns the issues of a schema into faults. Schemas only name the rule (`must be …`); the place and the given value are added here.

import type { z } from 'zod';
import { buildFault, type Fault, joinMember } from './fault.ts';
import { fail, ok, type Result } from './result.ts';
import { WHOLE_MESSAGE } from './schema-members.ts';
import { isJsonObject } from './strict-json.ts';

/** @param path where the value is, like `seo`; empty for a whole record. */
export function parseWithSchema<Output>(
  schema: z.ZodType<Output>,
  raw: unknown,
  path = '',
): Result<Output, readonly Fault[]> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return ok(parsed.data);
  return fail(parsed.error.issues.flatMap((issue) => buildIssueFaults(issue, raw, path)));
}

function buildIssueFaults(issue: z.core.$ZodIssue, raw: unknown, path: string): readonly Fault[] {
  let place = path;
  let given = raw;
  for (const key of issue.path) {
    place = typeof key === 'number' ? `${place}[${key}]` : joinMember(place, String(key));
    given = findMember(given, key);
  }
  if (issue.code === 'custom' && issue.params === WHOLE_MESSAGE) return [{ path: place, message: issue.message }];
  if (issue.code !== 'unrecognized_keys') return [buildFault(place, issue.message, given)];
  return issue.keys.map((key) => ({ path: joinMember(place, key), message: issue.message }));
}

function findMember(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value) && typeof key === 'number') return value[key];
  if (isJsonObject(value) && typeof key === 'string' && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

// Turns the issues that a schema reports into faults. Schemas only state the rule (`must be …`); this file adds the path and the value.

import type { z } from 'zod';
import { buildFault, FAULT_CODES, type Fault, joinMember, notAllowed } from './fault.ts';
import { fail, ok, type Result } from './result.ts';
import { hasFoundFault } from './schema-members.ts';
import { isJsonObject } from './strict-json.ts';

/** @param path the path of the value, such as `seo`; empty for a whole record */
export function parseWithSchema<Output>(
  schema: z.ZodType<Output>,
  raw: unknown,
  path = '',
): Result<Output, readonly Fault[]> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return ok(parsed.data);
  return fail(dropRepeated(parsed.error.issues.flatMap((issue) => buildIssueFaults(issue, raw, path))));
}

/** Text in place of an array breaks two rules of the same schema: the type, and the length if the text is longer than the array may be. */
function dropRepeated(faults: readonly Fault[]): readonly Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ path, message }) => {
    const known = seen.size;
    return seen.add(JSON.stringify([path, message])).size > known;
  });
}

function buildIssueFaults(issue: z.core.$ZodIssue, raw: unknown, path: string): readonly Fault[] {
  let place = path;
  let given = raw;
  for (const key of issue.path) {
    place = typeof key === 'number' ? `${place}[${key}]` : joinMember(place, String(key));
    given = findMember(given, key);
  }
  if (issue.code === 'custom' && hasFoundFault(issue.params)) return [{ ...issue.params.found, path: place }];
  if (issue.code !== 'unrecognized_keys') return [buildFault(place, issue.message, given, findCode(issue, given))];
  return issue.keys.map((key) => ({ path: joinMember(place, key), message: issue.message, code: 'unknown' }));
}

function findCode(issue: z.core.$ZodIssue, given: unknown): Pick<Fault, 'code' | 'values'> {
  if (issue.code === 'invalid_value') return notAllowed(given);
  if (issue.code === 'too_small' || issue.code === 'too_big') return describeLimit(issue, given);
  const named: unknown = issue.code === 'custom' ? issue.params?.faultCode : undefined;
  return { code: FAULT_CODES.find((code) => code === named) };
}

function describeLimit(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  given: unknown,
): Pick<Fault, 'code' | 'values'> {
  const limit = issue.code === 'too_small' ? { min: Number(issue.minimum) } : { max: Number(issue.maximum) };
  if (Array.isArray(given)) {
    const code = issue.code === 'too_small' ? 'too_few' : 'too_many';
    return { code, values: { ...limit, count: given.length } };
  }
  if (typeof given === 'number') return { code: issue.code === 'too_small' ? 'too_small' : 'too_large', values: limit };
  return {};
}

function findMember(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value) && typeof key === 'number') return value[key];
  if (isJsonObject(value) && typeof key === 'string' && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

// Schemas for properties that several records share. An optional property can be omitted or null, with the same effect. Parsed values have
// all properties.

import { z } from 'zod';
import { buildFault, type Fault, type FaultCode, listNames } from './fault.ts';
import { ID_RULE, isId } from './ids.ts';
import { countCharacters, isName, isPlainText, MAX_NAME, NAME_RULE, PLAIN_TEXT_RULE } from './text-rules.ts';
import { parseTimestamp, TIMESTAMP_RULE } from './timestamp.ts';

const HANDLE_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;

/** An object that may have only known properties. Messages refer to it by `noun`, such as `a text field`. */
export function strictMembers<Shape extends z.core.$ZodLooseShape>(noun: string, shape: Shape) {
  const unknownMember = `is unknown; ${noun} has ${listNames(Object.keys(shape))}`;
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownMember : 'must be an object'),
  });
}

/** @param rule the end of a message that starts with `must be` */
export function textMember(rule: string, accepts: (text: string) => boolean, code: FaultCode = 'invalid') {
  const error = `must be ${rule}`;
  return z.string({ error }).refine(accepts, { error, params: { faultCode: code } });
}

export function oneOfMember<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

export function orUnset<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/**
 * Used for checks that compare properties. They run even if a property is invalid, so all faults are reported together.
 * Their input can be any object or array.
 */
export const ALWAYS = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null,
} as const;

/** Adds faults found by another check. Their messages are complete: the given value is not added. */
export function addFoundFaults(context: z.RefinementCtx, faults: readonly Fault[]): void {
  for (const found of faults) {
    const { path, message } = found;
    context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message, params: { found } });
  }
}

/** @param params the params of an issue */
export function hasFoundFault(params: unknown): params is { readonly found: Fault } {
  return typeof params === 'object' && params !== null && 'found' in params;
}

export const idMember = textMember(ID_RULE, isId);

export function isHandle(text: string): boolean {
  return HANDLE_PATTERN.test(text);
}

export const handleMember = textMember(
  'a handle of 1 to 64 characters from a-z 0-9 _ that starts with a letter',
  isHandle,
  'handle_invalid',
);

export const nameMember = z.string({ error: `must be ${NAME_RULE}` }).superRefine((name, context) => {
  if (isName(name)) return;
  const length = countCharacters(name);
  const kind = length > MAX_NAME ? ({ code: 'too_long', values: { max: MAX_NAME, length } } as const) : {};
  addFoundFaults(context, [buildFault('', `must be ${NAME_RULE}`, name, kind)]);
});

/** Empty text becomes null. */
export const optionalTextMember = textMember(PLAIN_TEXT_RULE, isPlainText)
  .nullish()
  .transform((text) => (text === undefined || text === '' ? null : text));

/** Milliseconds since 1970. */
export const timeMember = z.string({ error: `must be ${TIMESTAMP_RULE}` }).transform((text, context) => {
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  context.issues.push({ code: 'custom', message: `must be ${TIMESTAMP_RULE}`, input: text });
  return z.NEVER;
});

const COUNT_RULE = 'must be a whole number of at least 0';

export const countMember = z.int({ error: COUNT_RULE }).min(0, { error: COUNT_RULE });

export const switchMember = z.boolean({ error: 'must be true or false' });

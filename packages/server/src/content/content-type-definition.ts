// A content type as defined in a bundle or in the panel. Settings are properties alongside a field's `type`, and each field type accepts
// only its own settings. The parsed value is complete; unset settings are absent.

import { z } from 'zod';
import { buildFault, type Fault, type FaultCode, listNames } from './fault.ts';
import { type ContentType, FIELD_ACCESSORS, type Field, type FieldSettings, type FieldType } from './field.ts';
import {
  ALWAYS,
  addFoundFaults,
  countMember,
  handleMember,
  idMember,
  nameMember,
  oneOfMember,
  optionalTextMember,
  orNull,
  orUnset,
  strictMembers,
  switchMember,
  textMember,
} from './schema-members.ts';
import { isJsonObject } from './strict-json.ts';
import { DEFAULT_URI_PATTERN, findUriPatternFault, isUri, URI_RULE } from './uri.ts';

export interface FieldDefinition {
  /** Null to generate an id. */
  readonly id: string | null;
  readonly handle: string;
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly hidden: boolean;
  readonly help_text: string | null;
  readonly settings: FieldSettings;
}

const KIND_PATTERN = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9.+-]*$/;
const SETTING_PAIRS = [
  ['min_length', 'max_length'],
  ['min', 'max'],
  ['min_items', 'max_items'],
] as const;

const fieldHead = {
  id: orNull(idMember),
  handle: handleMember,
  name: orNull(nameMember),
  required: orUnset(switchMember),
  hidden: orUnset(switchMember),
  help_text: optionalTextMember,
};

const numberMember = z.number({ error: 'must be a finite number' });
const option = strictMembers('an option', { label: nameMember, value: nameMember }).readonly();

/** An empty list imposes no restriction, as if the setting were omitted. */
function allowedMember(item: z.ZodType<string>) {
  return orUnset(uniqueItems(z.array(item, { error: 'must be an array' }))).transform((items) =>
    items === undefined || items.length === 0 ? undefined : items,
  );
}

const DUPLICATE: { readonly faultCode: FaultCode } = { faultCode: 'duplicate' };

function uniqueItems(list: z.ZodArray<z.ZodType<string>>) {
  return list.superRefine((items, context) => {
    for (const index of findRepeats(items)) {
      context.addIssue({ code: 'custom', path: [index], message: 'must not be listed twice', params: DUPLICATE });
    }
  }, ALWAYS);
}

/** Checks only strings. Other checks report items that are not strings and values that are not lists. */
function findRepeats(items: unknown): readonly number[] {
  if (!Array.isArray(items)) return [];
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    if (typeof item !== 'string') return [];
    if (seen.has(item)) return [index];
    seen.add(item);
    return [];
  });
}

/** The values of one property in all items, even if the items are invalid. */
function listMembers(items: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(items)) return [];
  return items.map((item) => (isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : undefined));
}

const itemLimits = { min_items: orUnset(countMember), max_items: orUnset(countMember) };

const settingsByType = {
  text: {
    format: orUnset(oneOfMember(['plain', 'markdown', 'html'])),
    min_length: orUnset(countMember),
    max_length: orUnset(countMember),
  },
  number: { min: orUnset(numberMember), max: orUnset(numberMember), integer: orUnset(switchMember) },
  boolean: {},
  date: {},
  list: itemLimits,
  option: {
    options: z
      .array(option, { error: 'must be an array of at least one option' })
      .min(1, { error: 'must be an array of at least one option' })
      .superRefine((options, context) => {
        for (const index of findRepeats(listMembers(options, 'value'))) {
          const message = 'must be unique among the options';
          context.addIssue({ code: 'custom', path: [index, 'value'], message, params: DUPLICATE });
        }
      }, ALWAYS)
      .readonly(),
  },
  assets: {
    allowed_kinds: allowedMember(
      textMember('a media type or the beginning of one, like image/', (text) => KIND_PATTERN.test(text)),
    ),
    ...itemLimits,
  },
  content_links: { allowed_types: allowedMember(handleMember), ...itemLimits },
  blocks: { allowed_types: allowedMember(handleMember), ...itemLimits },
} satisfies Record<FieldType, z.core.$ZodLooseShape>;

function fieldOfType<Type extends FieldType>(type: Type) {
  const shape: (typeof settingsByType)[Type] = settingsByType[type];
  return strictMembers(`a field of type ${type}`, { type: z.literal(type), ...fieldHead, ...shape });
}

const TYPE_RULE = `must be one of ${Object.keys(FIELD_ACCESSORS).join(', ')}`;

export const fieldDefinition = z
  .discriminatedUnion(
    'type',
    [
      fieldOfType('text'),
      fieldOfType('number'),
      fieldOfType('boolean'),
      fieldOfType('date'),
      fieldOfType('list'),
      fieldOfType('option'),
      fieldOfType('assets'),
      fieldOfType('content_links'),
      fieldOfType('blocks'),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? TYPE_RULE : 'must be an object') },
  )
  .superRefine((field: unknown, context) => {
    if (!isJsonObject(field)) return;
    // If the type is unknown, the other properties have not been checked yet.
    const type = Object.hasOwn(field, 'type') ? field.type : undefined;
    if (!(typeof type === 'string' && Object.hasOwn(FIELD_ACCESSORS, type))) {
      const { error } = z.looseObject(fieldHead).safeParse(field);
      for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
    }
    for (const [least, most] of SETTING_PAIRS) {
      const [low, high] = [least, most].map((name) => (Object.hasOwn(field, name) ? field[name] : undefined));
      if (typeof low !== 'number' || typeof high !== 'number' || low <= high) continue;
      const rule = `must not be greater than ${most} (${high})`;
      addFoundFaults(context, [buildFault(least, rule, low, { code: 'too_large', values: { max: high } })]);
    }
  }, ALWAYS)
  .transform(({ id, handle, name, type, required = false, hidden = false, help_text, ...rest }): FieldDefinition => {
    const settings = dropUnset(rest);
    return Object.freeze({
      id,
      handle,
      name: name ?? makeReadable(handle),
      type,
      required,
      hidden,
      help_text,
      settings,
    });
  });

function dropUnset(settings: FieldSettings): FieldSettings {
  return Object.freeze(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)));
}

/** `cover_image` becomes `Cover image`. */
function makeReadable(handle: string): string {
  const words = handle.replaceAll(/_+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const uriPatternMember = z.string({ error: 'must be text' }).superRefine((pattern, context) => {
  const fault = findUriPatternFault(pattern);
  if (fault !== undefined) {
    context.addIssue({ code: 'custom', message: `must contain only known placeholders (${fault})` });
    return;
  }
  // A pattern may start with a slash: slashes at both ends are removed when a uri is built.
  if (!isUri(pattern.replace(/^\/+/, ''))) context.addIssue({ code: 'custom', message: `must be ${URI_RULE}` });
});

const fieldsMember = z.array(fieldDefinition, { error: 'must be an array' }).superRefine((fields, context) => {
  for (const name of ['handle', 'id'] as const) {
    for (const index of findRepeats(listMembers(fields, name))) {
      const message = `must be unique among the fields`;
      context.addIssue({ code: 'custom', path: [index, name], message, params: DUPLICATE });
    }
  }
}, ALWAYS);

export const objectTypeMember = oneOfMember(['page', 'entry', 'block']);

export const contentTypeDefinition = strictMembers('a content type', {
  handle: handleMember,
  name: nameMember,
  object_type: orUnset(objectTypeMember).transform((type) => type ?? 'page'),
  uri_pattern: orUnset(uriPatternMember).transform((pattern) => pattern ?? DEFAULT_URI_PATTERN),
  fields: fieldsMember,
});

/** A content type created manually: the id and the uri pattern have defaults, and fields can be added later. */
export const newContentType = strictMembers('a content type', {
  id: orNull(idMember),
  ...contentTypeDefinition.shape,
  uri_pattern: orUnset(uriPatternMember),
  fields: orUnset(fieldsMember).transform((fields) => fields ?? []),
});

export type NewContentType = z.infer<typeof newContentType>;

/** The parts of a field that its definition sets. */
export type FieldParts = Pick<Field, 'handle' | 'name' | 'helpText' | 'type' | 'isRequired' | 'isHidden' | 'settings'>;

export function buildFieldParts(definition: FieldDefinition): FieldParts {
  const { handle, name, help_text: helpText, type, required: isRequired, hidden: isHidden, settings } = definition;
  return { handle, name, helpText, type, isRequired, isHidden, settings };
}

/** The definition of a field. Unset settings are omitted. */
export function describeField({ handle, name, type, isRequired, isHidden, helpText, settings }: FieldParts) {
  return { handle, name, type, required: isRequired, hidden: isHidden, help_text: helpText, ...settings };
}

export function isSameField(one: FieldParts, other: FieldParts): boolean {
  return JSON.stringify(describeOrdered(one)) === JSON.stringify(describeOrdered(other));
}

/** Sorts the properties, because the order of settings does not matter. */
function describeOrdered(field: FieldParts): readonly unknown[] {
  return Object.entries(describeField(field)).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

type KnownType = Pick<ContentType, 'handle' | 'objectType'>;

/**
 * Checks that the types allowed by a field exist and are of the right kind.
 * @param path the path of the definition; empty if it is the whole body
 */
export function findDefinitionFaults(
  field: { readonly type: FieldType; readonly settings: FieldSettings },
  types: readonly KnownType[],
  path: string,
): readonly Fault[] {
  const isBlocks = field.type === 'blocks';
  const fitting = types.filter((type) => (type.objectType === 'block') === isBlocks).map((type) => type.handle);
  const place = path === '' ? 'allowed_types' : `${path}.allowed_types`;
  const rule = `must be one of the site's ${isBlocks ? 'block types' : 'page and entry types'}: ${listNames(fitting)}`;
  return (field.settings.allowed_types ?? []).flatMap((handle, index) =>
    fitting.includes(handle) ? [] : [buildFault(`${place}[${index}]`, rule, handle)],
  );
}

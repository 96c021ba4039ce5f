import type { ContentType } from '../content/field.ts';
import type { TypesByHandle } from '../content/field-value.ts';

interface KnownTypes {
  readonly type: ContentType;
  readonly typesByHandle: TypesByHandle;
}

/** The types as if their option fields still had the given values, which content may have kept from before. */
export function widenOptions(type: ContentType, typesByHandle: TypesByHandle, values: readonly string[]): KnownTypes {
  if (values.length === 0) return { type, typesByHandle };
  const widened = [...typesByHandle].map(([handle, each]) => [handle, widenType(each, values)] as const);
  return { type: widenType(type, values), typesByHandle: new Map(widened) };
}

function widenType(type: ContentType, values: readonly string[]): ContentType {
  const more = values.map((value) => ({ label: value, value }));
  const fields = type.fields.map((field) =>
    field.type === 'option'
      ? { ...field, settings: { ...field.settings, options: [...(field.settings.options ?? []), ...more] } }
      : field,
  );
  return { ...type, fields };
}

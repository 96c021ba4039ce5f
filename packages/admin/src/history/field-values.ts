// Values of fields in their plain form, as the management API gives them, read without trust in their shape.

export interface Block {
  readonly content_type: string;
  readonly name: string | null;
  readonly fields: Values;
}

/** By handle. */
export type Values = Readonly<Record<string, unknown>>;

/** What stands under the one accessor of a field's value; undefined where there is none. */
export function readAccessor(value: unknown): unknown {
  return isObject(value) ? Object.values(value)[0] : undefined;
}

export function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function listBlocks(value: unknown): readonly Block[] {
  return Array.isArray(value) ? value.filter(isBlock) : [];
}

export function isBlock(value: unknown): value is Block {
  return isObject(value) && typeof value.content_type === 'string' && isObject(value.fields);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

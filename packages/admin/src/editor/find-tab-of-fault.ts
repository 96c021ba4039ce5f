import type { ManagedTypeBody } from '@galley/wire';
import { type FieldValues, readBlocks } from './fields/field-values.ts';

/** Which content types a form is made from, and what is in it. */
interface FilledForm {
  readonly type: ManagedTypeBody | undefined;
  readonly types: readonly ManagedTypeBody[];
  readonly fields: FieldValues;
}

/** The tab that has an input where a fault is; none has one for hidden fields and for those that are gone. */
export function findTabOfFault(path: string, form: FilledForm): 'edit' | 'seo' | undefined {
  if (/^seo(\.|$)/.test(path)) return 'seo';
  if (path === 'name' || path === 'slug' || path === 'author') return 'edit';
  const [, inFields] = /^fields\.(.*)$/.exec(path) ?? [];
  return inFields !== undefined && hasInput(inFields, form) ? 'edit' : undefined;
}

function hasInput(path: string, { type, types, fields }: FilledForm): boolean {
  const [handle = ''] = /^[^.[]*/.exec(path) ?? [];
  const field = type?.fields.find((each) => each.handle === handle);
  if (field === undefined || field.hidden) return false;
  const [, index, inBlock] = /^\.blocks\[(\d+)\]\.fields\.(.*)$/.exec(path.slice(handle.length)) ?? [];
  if (inBlock === undefined) return true;
  const block = readBlocks(fields[handle])[Number(index)];
  const blockType = types.find((each) => each.handle === block?.content_type);
  return hasInput(inBlock, { type: blockType, types, fields: block?.fields ?? {} });
}

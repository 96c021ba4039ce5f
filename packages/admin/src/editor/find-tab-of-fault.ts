// Finds the tab with the input that an error belongs to.

import type { ManagedTypeBody } from '@galley/wire';
import { type FieldValues, readBlocks } from './fields/field-values.ts';

/** A form with its content types and its values. */
interface FilledForm {
  readonly type: ManagedTypeBody | undefined;
  readonly types: readonly ManagedTypeBody[];
  readonly fields: FieldValues;
}

/** The tab with the input for an error; undefined for hidden and deleted fields, which have no input. */
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

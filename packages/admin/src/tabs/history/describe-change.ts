// Describes the location of a change in readable form: `fields.body.blocks[0].fields.title.text` becomes "Body › 1 › Title".

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';

export interface ChangedPlace {
  readonly label: readonly string[];
  /** The field that the value belongs to; undefined for other values, and if the field was deleted. */
  readonly field: ManagedFieldBody | undefined;
}

const MEMBERS: Readonly<Record<string, string>> = TAB_TEXTS.members;
const SEO_MEMBERS: Readonly<Record<string, string>> = TAB_TEXTS.seoMembers;

export function describeChange(path: string, typeHandle: string, types: readonly ManagedTypeBody[]): ChangedPlace {
  const parts = path.match(/[^.[\]]+/g) ?? [];
  const [first = '', ...rest] = parts;
  if (first === 'seo') {
    return { label: [nameOf(MEMBERS, first), ...rest.map((part) => nameOf(SEO_MEMBERS, part))], field: undefined };
  }
  if (first !== 'fields') return { label: [nameOf(MEMBERS, first)], field: undefined };
  return describeField(
    rest,
    types.filter(({ handle }) => handle === typeHandle),
    types,
  );
}

/** @param owners the types that the field may belong to; there can be several, because a path does not contain a block's type */
function describeField(
  [handle = '', , index, member, ...rest]: readonly string[],
  owners: readonly ManagedTypeBody[],
  types: readonly ManagedTypeBody[],
): ChangedPlace {
  const field = owners.flatMap(({ fields }) => fields).find((each) => each.handle === handle);
  const label = [field?.name ?? handle];
  if (index === undefined) return { label, field };
  label.push(String(Number(index) + 1));
  if (member === undefined) return { label, field };
  if (member !== 'fields') return { label: [...label, nameOf(MEMBERS, member)], field: undefined };
  const allowed = field?.allowed_types;
  const blocks = types.filter(
    ({ handle: type, object_type: kind }) => kind === 'block' && allowed?.includes(type) !== false,
  );
  const inner = describeField(rest, blocks, types);
  return { label: [...label, ...inner.label], field: inner.field };
}

function nameOf(names: Readonly<Record<string, string>>, member: string): string {
  return Object.hasOwn(names, member) ? (names[member] ?? member) : member;
}

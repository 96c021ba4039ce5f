import type { ManagedFieldBody } from '@galley/wire';
import {
  IconAlignLeft,
  IconCalendar,
  IconCircleDot,
  IconHash,
  IconLayoutList,
  IconLink,
  IconList,
  IconPhoto,
  IconToggleLeft,
} from '@tabler/icons-react';

export type FieldKind = ManagedFieldBody['type'];

/** In the order in which they are offered: what is used most comes first. */
export const FIELD_KINDS: readonly FieldKind[] = [
  'text',
  'number',
  'boolean',
  'date',
  'option',
  'list',
  'assets',
  'content_links',
  'blocks',
];

export const KIND_ICONS: Readonly<Record<FieldKind, typeof IconAlignLeft>> = {
  text: IconAlignLeft,
  number: IconHash,
  boolean: IconToggleLeft,
  date: IconCalendar,
  option: IconCircleDot,
  list: IconList,
  assets: IconPhoto,
  content_links: IconLink,
  blocks: IconLayoutList,
};

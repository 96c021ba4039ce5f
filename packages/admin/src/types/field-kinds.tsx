// The kinds of fields, and the menu for adding a field of any kind.

import type { ManagedFieldBody } from '@galley/wire';
import { Button, Menu } from '@mantine/core';
import {
  IconAlignLeft,
  IconCalendar,
  IconCircleDot,
  IconHash,
  IconLayoutList,
  IconLink,
  IconList,
  IconPhoto,
  IconPlus,
  IconToggleLeft,
} from '@tabler/icons-react';
import type { Ref } from 'react';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import classes from './type-fields.module.css';

export type FieldKind = ManagedFieldBody['type'];

/** In menu order, with the most frequently used kinds first. */
const FIELD_KINDS: readonly FieldKind[] = [
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

interface KindPickerProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly onPick: (kind: FieldKind) => void;
}

export function KindPicker({ ref, onPick }: KindPickerProps) {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button ref={ref} className={classes.add} variant="light" leftSection={<IconPlus size={16} aria-hidden />}>
          {FIELD_TEXTS.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.kinds}>
          {FIELD_KINDS.map((kind) => {
            const Icon = KIND_ICONS[kind];
            return (
              <Menu.Item
                key={kind}
                leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
                onClick={() => onPick(kind)}
              >
                <span className={classes.kind}>{FIELD_TEXTS.kinds[kind]}</span>
                <span className={classes.text}>{FIELD_TEXTS.kindTexts[kind]}</span>
              </Menu.Item>
            );
          })}
        </div>
      </Menu.Dropdown>
    </Menu>
  );
}

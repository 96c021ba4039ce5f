import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Ref } from 'react';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { FIELD_KINDS, type FieldKind, KIND_ICONS } from './field-kinds.ts';
import classes from './kind-picker.module.css';

interface KindPickerProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly onPick: (kind: FieldKind) => void;
}

/** Which kind of field is added next. */
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

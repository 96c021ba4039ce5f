// A field in the list of fields: what it is in one line, and its form below while it is open.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Badge, Code, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { describeSettings } from './describe-settings.ts';
import { KIND_ICONS } from './field-kinds.ts';
import classes from './field-row.module.css';

interface FieldRowProps {
  readonly field: ManagedFieldBody;
  readonly types: readonly ManagedTypeBody[];
  /** Undefined where it cannot be opened. */
  readonly toggle:
    | { readonly isOpen: boolean; readonly onToggle: () => void; readonly ref?: Ref<HTMLButtonElement> }
    | undefined;
  readonly grip?: ReactNode;
  /** Its form, while it is open. */
  readonly children?: ReactNode;
}

export function FieldRow({ field, types, toggle, grip, children }: FieldRowProps) {
  const line = <FieldLine field={field} types={types} />;
  return (
    <div className={classes.row}>
      <div className={classes.head}>
        {grip}
        {toggle === undefined ? (
          <div className={classes.line}>{line}</div>
        ) : (
          <UnstyledButton
            ref={toggle.ref}
            className={classes.line}
            aria-expanded={toggle.isOpen}
            onClick={toggle.onToggle}
            data-field={field.id}
          >
            {line}
            <IconChevronDown className={classes.chevron} size={16} aria-hidden />
          </UnstyledButton>
        )}
      </div>
      {children}
    </div>
  );
}

function FieldLine({ field, types }: Pick<FieldRowProps, 'field' | 'types'>) {
  const Icon = KIND_ICONS[field.type];
  return (
    <>
      <span className={classes.icon}>
        <Icon size={17} stroke={1.6} aria-hidden />
      </span>
      <span className={classes.texts}>
        <span className={classes.name}>
          {field.name}
          <Code className={classes.handle}>{field.handle}</Code>
          {field.required && (
            <Badge variant="light" size="sm" tt="none">
              {FIELD_TEXTS.required}
            </Badge>
          )}
          {field.hidden && (
            <Badge variant="default" size="sm" tt="none">
              {FIELD_TEXTS.hidden}
            </Badge>
          )}
        </span>
        <span className={classes.summary}>
          {[FIELD_TEXTS.kinds[field.type], ...describeSettings(field, types)].join(' · ')}
        </span>
      </span>
    </>
  );
}

// A row in the list of fields: a summary of the field, with its form below while the row is open.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Badge, Code, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import { type FieldKind, KIND_ICONS } from './field-kinds.tsx';
import classes from './type-fields.module.css';

interface FieldRowProps {
  readonly field: ManagedFieldBody;
  readonly types: readonly ManagedTypeBody[];
  /** Undefined if the row cannot be opened. */
  readonly toggle:
    | { readonly isOpen: boolean; readonly onToggle: () => void; readonly ref?: Ref<HTMLButtonElement> }
    | undefined;
  readonly grip?: ReactNode;
  /** The field's form, while the row is open. */
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

const MOST_NAMES = 3;

/** A short summary of a field's settings. */
function describeSettings(field: ManagedFieldBody, types: readonly ManagedTypeBody[]): readonly string[] {
  const length = describeRange(field.min_length || undefined, field.max_length);
  const range = describeRange(field.min, field.max);
  const count = describeRange(field.min_items || undefined, field.max_items);
  const typeNames = new Map(types.map(({ handle, name }) => [handle, name]));
  return [
    ...(field.format === undefined || field.format === 'plain' ? [] : [FIELD_TEXTS.formats[field.format]]),
    ...(length === undefined ? [] : [FIELD_TEXTS.characters(length)]),
    ...(field.integer === true ? [FIELD_TEXTS.integer] : []),
    ...(range === undefined ? [] : [range]),
    ...listSome(field.options?.map(({ label }) => label)),
    ...listSome(field.allowed_kinds),
    ...listSome(field.allowed_types?.map((handle) => typeNames.get(handle) ?? handle)),
    ...(count === undefined ? [] : [FIELD_TEXTS.entries(count)]),
  ];
}

function describeRange(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined) return most === undefined ? undefined : FIELD_TEXTS.atMost(most.toLocaleString());
  if (most === undefined) return FIELD_TEXTS.atLeast(least.toLocaleString());
  if (least === most) return FIELD_TEXTS.exactly(least.toLocaleString());
  return FIELD_TEXTS.between(least.toLocaleString(), most.toLocaleString());
}

function listSome(names: readonly string[] = []): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.length > MOST_NAMES + 1 ? names.slice(0, MOST_NAMES) : names;
  const rest = names.length - shown.length;
  return [[...shown, ...(rest === 0 ? [] : [FIELD_TEXTS.more(rest)])].join(', ')];
}

interface NewFieldProps {
  readonly kind: FieldKind;
  readonly children: ReactNode;
}

/** The row for a field that is being added. */
export function NewField({ kind, children }: NewFieldProps) {
  const Icon = KIND_ICONS[kind];
  return (
    <div className={classes.row}>
      <div className={classes.head}>
        <div className={classes.line}>
          <span className={classes.icon}>
            <Icon size={17} stroke={1.6} aria-hidden />
          </span>
          <span className={classes.name}>{FIELD_TEXTS.newOf(FIELD_TEXTS.kinds[kind])}</span>
        </div>
      </div>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { type FieldKind, KIND_ICONS } from './field-kinds.ts';
import classes from './field-row.module.css';

interface NewFieldProps {
  readonly kind: FieldKind;
  readonly children: ReactNode;
}

/** Where a field that is not there yet is written. */
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

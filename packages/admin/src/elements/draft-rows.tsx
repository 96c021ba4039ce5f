// Rows of inputs that people add and remove before they save the form.

import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef } from 'react';
import classes from './draft-rows.module.css';

interface DraftRows<Row, List> {
  /** The ref for the element around the rows. Each row has its key in a `data-row` attribute. */
  readonly listRef: RefObject<List | null>;
  /** Adds an empty row and focuses its first input. */
  readonly add: () => void;
  readonly change: (key: string, parts: Partial<Row>) => void;
  readonly remove: (key: string) => void;
}

export function useDraftRows<Row extends { readonly key: string }, List extends HTMLElement>(
  rows: readonly Row[],
  onChange: (rows: readonly Row[]) => void,
  create: () => Row,
): DraftRows<Row, List> {
  const listRef = useRef<List>(null);
  const added = useRef<string>(undefined);
  useEffect(() => {
    if (added.current === undefined) return;
    listRef.current?.querySelector<HTMLInputElement>(`[data-row="${CSS.escape(added.current)}"] input`)?.focus();
    added.current = undefined;
  });
  return {
    listRef,
    add: () => {
      const row = create();
      added.current = row.key;
      onChange([...rows, row]);
    },
    change: (key, parts) => onChange(rows.map((row) => (row.key === key ? { ...row, ...parts } : row))),
    remove: (key) => onChange(rows.filter((row) => row.key !== key)),
  };
}

export function AddRowButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button
      className={classes.add}
      variant="default"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

interface RemoveRowButtonProps {
  readonly className?: string | undefined;
  readonly label: string;
  readonly onClick: () => void;
}

export function RemoveRowButton({ className, label, onClick }: RemoveRowButtonProps) {
  return (
    <ActionIcon className={`${classes.remove} ${className ?? ''}`} aria-label={label} onClick={onClick}>
      <IconX size={15} aria-hidden />
    </ActionIcon>
  );
}

import { Button, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIST_TEXTS } from '../texts/list-texts.ts';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** Shown instead of an empty list: explains what belongs here, and offers the first step. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Title order={2}>{title}</Title>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  );
}

/** Shown if a search or filter has no results. */
export function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      title={LIST_TEXTS.nothingFoundTitle}
      text={LIST_TEXTS.nothingFoundText}
      action={
        <Button variant="default" onClick={onClear}>
          {LIST_TEXTS.clearSearch}
        </Button>
      }
    />
  );
}

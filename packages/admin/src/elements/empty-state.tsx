import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** Where a list has nothing to show: what would be here, and the first step. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Title order={2}>{title}</Title>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  );
}

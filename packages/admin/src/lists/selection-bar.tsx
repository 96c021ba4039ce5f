import { CloseButton, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBottomBar } from '../elements/use-bottom-bar.ts';
import { BULK_TEXTS } from '../texts/bulk-texts.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  readonly count: number;
  readonly onClear: () => void;
  /** The buttons. */
  readonly children: ReactNode;
}

/** Floats above a list while something is selected. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const bar = useBottomBar();
  if (count === 0) return null;
  return (
    <section ref={bar} className={classes.bar} aria-label={BULK_TEXTS.selection}>
      <CloseButton size="sm" aria-label={BULK_TEXTS.clear} onClick={onClear} />
      <Text className={classes.count} role="status">
        {BULK_TEXTS.selected(count)}
      </Text>
      <Group className={classes.actions} gap="xs" wrap="nowrap" ml="auto">
        {children}
      </Group>
    </section>
  );
}

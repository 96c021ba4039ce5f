import { Button, CloseButton, Group, Text } from '@mantine/core';
import { useBottomBar } from '../elements/use-bottom-bar.ts';
import { BULK_TEXTS } from '../texts/bulk-texts.ts';
import type { BulkAction } from './bulk-actions.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  readonly count: number;
  readonly actions: readonly BulkAction[];
  readonly onAction: (action: BulkAction) => void;
  readonly onClear: () => void;
}

/** Floats above the list while something is chosen. */
export function SelectionBar({ count, actions, onAction, onClear }: SelectionBarProps) {
  const bar = useBottomBar();
  if (count === 0) return null;
  return (
    <section ref={bar} className={classes.bar} aria-label={BULK_TEXTS.selection}>
      <CloseButton size="sm" aria-label={BULK_TEXTS.clear} onClick={onClear} />
      <Text className={classes.count} role="status">
        {BULK_TEXTS.selected(count)}
      </Text>
      <Group className={classes.actions} gap="xs" wrap="nowrap" ml="auto">
        {actions.map((action, index) => (
          <Button
            key={action}
            size="compact-sm"
            variant={index === 0 ? 'filled' : 'default'}
            onClick={() => onAction(action)}
          >
            {BULK_TEXTS.actions[action]}
          </Button>
        ))}
      </Group>
    </section>
  );
}

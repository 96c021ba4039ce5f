import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';

/** Enough time to notice and to reach the button. */
const SHOWN_MS = 12_000;

/** Tells what was done and offers to undo it. */
export function showUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    position: 'top-right',
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        {message}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {EDITOR_TEXTS.undo}
        </Button>
      </Group>
    ),
  });
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerUnsavedWork } from '../forms/unsaved-work.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

interface AskBeforeLeavingProps {
  readonly isChanged: boolean;
  /** Explains what is not saved. */
  readonly text: string;
  /** If set, people can open pages under this path without being asked. */
  readonly within?: string;
}

/** Asks for confirmation before somebody with unsaved changes opens another page, closes or reloads the tab, or signs out. */
export function AskBeforeLeaving({ isChanged, text, within }: AskBeforeLeavingProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => isChanged && !(within !== undefined && `${next.pathname}/`.includes(`${within}/`)),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  useEffect(
    () => (isChanged ? registerUnsavedWork({ save: async () => false, end: () => undefined }) : undefined),
    [isChanged],
  );
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={SHELL_TEXTS.leaveTitle}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <Stack gap="md">
        <Text>{text}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            {SHELL_TEXTS.cancel}
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            {SHELL_TEXTS.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

/** While something is not saved, whoever goes to another page, closes the tab or reloads it is asked first. */
export function AskBeforeLeaving({ isChanged }: { readonly isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={FIELD_TEXTS.leaveTitle}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <Stack gap="md">
        <Text>{FIELD_TEXTS.leaveText}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            {SHELL_TEXTS.cancel}
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            {FIELD_TEXTS.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

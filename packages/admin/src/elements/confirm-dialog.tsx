// Asks before something that cannot be undone. The dialog stays while it is being done, and says why where it was refused.

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isConflict } from '../api/api-error.ts';
import { describeError } from '../forms/describe-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { RefusedUses } from './refused-uses.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  /** Nothing is lost by it. */
  readonly isHarmless?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, text, confirmLabel, isHarmless = false, onConfirm, onClose } = props;
  const work = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  // As things stand, asking once more would be refused once more. Some say it in other words than the service.
  const isRefused = isConflict(work.error) || isConflict(work.error?.cause);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={work.reset}
      title={title}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <Stack gap="md">
        {!isRefused && <Text>{text}</Text>}
        {work.error !== null && (
          <Alert color="red" role="alert">
            {describeError(work.error)}
            <RefusedUses error={work.error} />
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          {isRefused ? (
            <Button key="refused" variant="default" autoFocus onClick={onClose}>
              {SHELL_TEXTS.close}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={onClose} data-autofocus>
                {SHELL_TEXTS.cancel}
              </Button>
              <Button {...(isHarmless ? {} : { color: 'red' })} loading={work.isPending} onClick={() => work.mutate()}>
                {confirmLabel}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

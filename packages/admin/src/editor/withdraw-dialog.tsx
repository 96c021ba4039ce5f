// Asks for confirmation before content is unpublished or archived, and again if published pages link to it.

import type { ManagedContentBody } from '@galley/wire';
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { readLinkedPages } from '../content/refusals.ts';
import { describeError } from '../forms/describe-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

interface WithdrawDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  /** The question to ask if published pages link to the content: `Unpublish anyway?` */
  readonly anyway: string;
  readonly withdraw: (confirm: boolean) => Promise<ManagedContentBody>;
  readonly onDone: (content: ManagedContentBody) => Promise<void>;
  readonly onClose: () => void;
}

const MOST_SHOWN = 5;

export function WithdrawDialog(props: WithdrawDialogProps) {
  const { title, text, confirmLabel, anyway, withdraw, onDone, onClose } = props;
  const work = useMutation({
    mutationFn: withdraw,
    onSuccess: async (content) => {
      await onDone(content);
      onClose();
    },
  });
  const linked = readLinkedPages(work.error);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}>
      <Stack gap="md">
        <Text>{text}</Text>
        {work.error !== null && (
          <Alert color={linked === undefined ? 'red' : 'yellow'} role="alert">
            {linked === undefined ? describeError(work.error) : `${linked.text} ${anyway}`}
            <List size="sm" mt={linked === undefined ? 0 : 'xs'}>
              {linked?.pages.slice(0, MOST_SHOWN).map(({ id, name }) => (
                <List.Item key={id}>{name}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {SHELL_TEXTS.cancel}
          </Button>
          <Button color="red" loading={work.isPending} onClick={() => work.mutate(linked !== undefined)}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

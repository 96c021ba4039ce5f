// Asks before content is taken away from readers, and once more where others link to it.

import type { ManagedContentBody } from '@galley/wire';
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isConflict } from '../api/api-error.ts';
import { describeError } from '../forms/describe-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { isRecord } from './fields/field-values.ts';

interface WithdrawDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  readonly withdraw: (confirm: boolean) => Promise<ManagedContentBody>;
  readonly onDone: (content: ManagedContentBody) => Promise<void>;
  readonly onClose: () => void;
}

const MOST_SHOWN = 5;

export function WithdrawDialog({ title, text, confirmLabel, withdraw, onDone, onClose }: WithdrawDialogProps) {
  const work = useMutation({
    mutationFn: withdraw,
    onSuccess: async (content) => {
      await onDone(content);
      onClose();
    },
  });
  const linked = work.error === null ? [] : listLinked(work.error);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}>
      <Stack gap="md">
        <Text>{text}</Text>
        {work.error !== null && (
          <Alert color={linked.length > 0 ? 'yellow' : 'red'} role="alert">
            {describeError(work.error)}
            <List size="sm" mt={linked.length > 0 ? 'xs' : 0}>
              {linked.slice(0, MOST_SHOWN).map((name) => (
                <List.Item key={name}>{name}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {SHELL_TEXTS.cancel}
          </Button>
          <Button color="red" loading={work.isPending} onClick={() => work.mutate(linked.length > 0)}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function listLinked(error: Error): readonly string[] {
  const { linked_from: linked } = isConflict(error) ? error.details : {};
  if (!Array.isArray(linked)) return [];
  return linked.flatMap((entry: unknown) => (isRecord(entry) && typeof entry.name === 'string' ? [entry.name] : []));
}

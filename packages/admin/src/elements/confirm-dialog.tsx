// Asks before something that cannot be undone, and may have its name typed. The dialog stays while it is being done, and says
// why where it was refused.

import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
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
  /** What must be typed before it can be done. */
  readonly typed?: string;
  /** Further inputs, below the text. */
  readonly children?: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, text, confirmLabel, isHarmless = false, typed, children, onConfirm, onClose } = props;
  const [answer, setAnswer] = useState('');
  const isTyped = typed === undefined || joinSpaces(answer) === joinSpaces(typed);
  const work = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  // As things stand, asking once more would be refused once more. Some say it in other words than the service.
  const isRefused = isConflict(work.error) || isConflict(work.error?.cause);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => {
        work.reset();
        setAnswer('');
      }}
      title={title}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
    >
      <Stack
        component="form"
        gap="md"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          // React would pass it on to a form that the dialog was opened from.
          event.stopPropagation();
          if (isTyped && !work.isPending) work.mutate();
        }}
      >
        {!isRefused && <Text>{text}</Text>}
        {!isRefused && children}
        {!isRefused && typed !== undefined && (
          <TextInput
            label={SHELL_TEXTS.typeToConfirm(typed)}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
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
              <Button variant="default" onClick={onClose} {...(typed === undefined ? { 'data-autofocus': true } : {})}>
                {SHELL_TEXTS.cancel}
              </Button>
              <Button
                type="submit"
                {...(isHarmless ? {} : { color: 'red' })}
                loading={work.isPending}
                disabled={!isTyped}
              >
                {confirmLabel}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** A name may have spaces that nobody sees. */
function joinSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

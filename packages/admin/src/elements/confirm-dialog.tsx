// Asks for confirmation before an action that cannot be undone, and may require people to type a name. The dialog stays open until the
// action is complete, and shows the reason if the action is refused.

import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isConflict, isNamedContent, type NamedContent } from '../api/api-error.ts';
import { describeError } from '../forms/describe-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './confirm-dialog.module.css';
import { TextLink } from './link-button.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  /** True if the action does not cause data loss. */
  readonly isHarmless?: boolean;
  /** The text that must be typed to confirm. */
  readonly typed?: string;
  /** Additional inputs, below the text. */
  readonly children?: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, text, confirmLabel, isHarmless = false, typed, children, onConfirm, onClose } = props;
  const [answer, setAnswer] = useState('');
  const isTyped = typed === undefined || joinSpaces(answer) === joinSpaces(typed);
  const work = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  // Another attempt would be refused too. Some callers throw an error with their own text and the API's refusal as its cause.
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
          // Otherwise the event would bubble up to the form that opened the dialog.
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

/** Collapses repeated spaces, because the page does not show them. */
function joinSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

const MOST_SHOWN = 8;

/** Links to the content that prevents a deletion. */
export function RefusedUses({ error }: { readonly error: Error }) {
  const { site } = useParams({ strict: false });
  const uses = listUses(error);
  if (site === undefined || uses.length === 0) return null;
  const shown = uses.slice(0, MOST_SHOWN);
  const others = countUses(error, uses) - shown.length;
  return (
    <ul className={classes.uses}>
      {shown.map(({ id, name }) => (
        <li key={id}>
          <TextLink to="/sites/$site/content/$id" params={{ site, id }} size="sm">
            {name}
          </TextLink>
        </li>
      ))}
      {others > 0 && <li>{SHELL_TEXTS.othersOf(others)}</li>}
    </ul>
  );
}

function listUses(error: Error): readonly NamedContent[] {
  const contents = isConflict(error) ? error.details.contents : undefined;
  return Array.isArray(contents) ? contents.filter(isNamedContent) : [];
}

function countUses(error: Error, uses: readonly NamedContent[]): number {
  const total = isConflict(error) ? error.details.total : undefined;
  return typeof total === 'number' ? total : uses.length;
}

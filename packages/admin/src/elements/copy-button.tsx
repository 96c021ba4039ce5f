import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for whoever does not see where the button stands. */
  readonly what: string;
}

export function CopyButton({ value, what }: CopyButtonProps) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Tooltip label={copied ? SHELL_TEXTS.copied : SHELL_TEXTS.copy}>
      <ActionIcon size="sm" onClick={() => copy(value)} aria-label={SHELL_TEXTS.copyOf(what)}>
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

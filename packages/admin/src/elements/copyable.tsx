// Values with a copy button: an ID within a line, and a block of code.

import { ActionIcon, Code, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './copyable.module.css';

interface CopyableIdProps {
  readonly id: string;
  readonly what: string;
}

export function CopyableId({ id, what }: CopyableIdProps) {
  return (
    <span className={classes.pair}>
      <Code className={classes.id}>{id}</Code>
      <CopyButton value={id} what={what} />
    </span>
  );
}

interface CodeBlockProps {
  readonly label: string;
  readonly what: string;
  readonly code: string;
}

/** Code with a copy button. */
export function CodeBlock({ label, what, code }: CodeBlockProps) {
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        {label}
        <CopyButton value={code} what={what} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}

interface CopyButtonProps {
  readonly value: string;
  /** Names the value, for people who cannot see which one the button copies. */
  readonly what: string;
}

function CopyButton({ value, what }: CopyButtonProps) {
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

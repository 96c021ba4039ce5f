import { Code } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import classes from './copyable-id.module.css';

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

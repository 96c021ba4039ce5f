import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface SecretCardProps {
  /** That it is not shown again. */
  readonly warning: string;
  /** The link that leaves it behind. */
  readonly done: ReactNode;
  readonly children: ReactNode;
}

/** The one look at a secret, with what it is used in. */
export function SecretCard({ warning, done, children }: SecretCardProps) {
  return (
    <Card>
      <Alert color="yellow" variant="light">
        {warning}
      </Alert>
      {children}
      <div>{done}</div>
    </Card>
  );
}

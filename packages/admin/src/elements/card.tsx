import { Alert, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title?: string;
  readonly intro?: string;
  readonly children: ReactNode;
}

/** A section of a page. With a title, it is a region that assistive technology can jump to. */
export function Card({ title, intro, children }: CardProps) {
  const titleId = useId();
  if (title === undefined) return <div className={classes.card}>{children}</div>;
  return (
    <section className={classes.card} aria-labelledby={titleId}>
      <div>
        <Title order={2} id={titleId}>
          {title}
        </Title>
        {intro !== undefined && <p className={classes.intro}>{intro}</p>}
      </div>
      {children}
    </section>
  );
}

interface SecretCardProps {
  /** The warning that the secret will not be shown again. */
  readonly warning: string;
  /** The link for leaving the page. */
  readonly done: ReactNode;
  readonly children: ReactNode;
}

/** Shows a secret once, with examples that use it. */
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

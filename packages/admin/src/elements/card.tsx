import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title?: string;
  readonly intro?: string;
  readonly children: ReactNode;
}

/** A part of a page on a surface of its own; with a title it is a region that assistive technology can jump to. */
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

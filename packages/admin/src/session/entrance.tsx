import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Wordmark } from '../elements/wordmark.tsx';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './entrance.module.css';

interface EntranceProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly children: ReactNode;
}

/** The frame for the pages shown before sign-in, each with a single form. */
export function Entrance({ title, text, children }: EntranceProps) {
  return (
    <main className={classes.desk}>
      <title>{`${title} · ${SHELL_TEXTS.product}`}</title>
      <div className={classes.column}>
        <Wordmark />
        <div className={classes.sheet}>
          <div>
            <Title order={1} tabIndex={-1} data-page-heading>
              {title}
            </Title>
            {text !== undefined && <p className={classes.text}>{text}</p>}
          </div>
          {children}
        </div>
      </div>
    </main>
  );
}

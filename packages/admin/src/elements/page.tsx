// A page of the panel: its title in the browser tab, its heading, which receives the focus after navigation, and its actions.

import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** The title in the tab, if it differs from the heading. */
  readonly tabTitle?: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether to use a narrow column, which suits forms and text. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, tabTitle = title, intro, actions, isNarrow = false, children }: PageProps) {
  return (
    <div className={classes.page} data-narrow={isNarrow || undefined}>
      <title>{`${tabTitle} · ${SHELL_TEXTS.product}`}</title>
      <header className={classes.header}>
        <div className={classes.heading}>
          <Title order={1} tabIndex={-1} data-page-heading>
            {title}
          </Title>
          {intro !== undefined && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions !== undefined && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </header>
      {children}
    </div>
  );
}

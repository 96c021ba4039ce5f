import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import type { ShownPages } from './open-preview.ts';
import classes from './page-notice.module.css';

interface PageNoticeProps {
  readonly pages: ShownPages;
  /** The origin of the page. */
  readonly address: string;
  readonly onReload: () => void;
  readonly onOpenTab: () => void;
}

/** Explains why the page does not show changes, and what the editor can do. */
export function PageNotice({ pages: { frame, tab }, address, onReload, onOpenTab }: PageNoticeProps) {
  const [isDismissed, setIsDismissed] = useState(false);
  if (frame === 'left') {
    return (
      <Alert className={classes.notice} color="yellow" role="alert" title={PREVIEW_TEXTS.left.title(address)}>
        {PREVIEW_TEXTS.left.text}
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" onClick={onReload}>
            {PREVIEW_TEXTS.left.reload}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (frame === 'blocked') {
    return (
      <Alert className={classes.notice} color="yellow" role="alert" title={PREVIEW_TEXTS.blocked.title}>
        {PREVIEW_TEXTS.blocked.text}
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
            {PREVIEW_TEXTS.blocked.reload}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (frame !== 'silent' || tab === 'connected' || isDismissed) return null;
  return (
    <Alert
      className={classes.notice}
      color="gray"
      role="status"
      title={PREVIEW_TEXTS.silent.title}
      withCloseButton
      closeButtonLabel={SHELL_TEXTS.close}
      onClose={() => setIsDismissed(true)}
    >
      {PREVIEW_TEXTS.silent.text}
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={onOpenTab}>
          {PREVIEW_TEXTS.openTab}
        </Button>
      </Group>
    </Alert>
  );
}

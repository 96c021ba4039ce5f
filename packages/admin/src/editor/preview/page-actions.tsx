// What can be done with the page of a content object: look at the published one, and show the preview beside the form.

import type { ManagedContentBody } from '@galley/wire';
import { Button, Tooltip } from '@mantine/core';
import { IconExternalLink, IconLayoutSidebarRight } from '@tabler/icons-react';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import classes from './page-actions.module.css';
import { changePreviewView, usePreviewView } from './preview-view.ts';

interface PageActionsProps {
  readonly content: ManagedContentBody;
}

export function PageActions({ content }: PageActionsProps) {
  const { isOpen } = usePreviewView();
  const isArchived = content.state === 'archived';
  return (
    <>
      {content.published_url !== null && (
        <Tooltip label={PREVIEW_TEXTS.viewPageHint}>
          <Button
            component="a"
            href={content.published_url}
            target="_blank"
            rel="noopener noreferrer"
            variant="subtle"
            size="compact-md"
            rightSection={<IconExternalLink size={15} aria-hidden />}
          >
            {PREVIEW_TEXTS.viewPage}
          </Button>
        </Tooltip>
      )}
      {!isArchived && (
        <Button
          className={classes.toggle}
          variant={isOpen ? 'light' : 'default'}
          size="compact-md"
          aria-pressed={isOpen}
          leftSection={<IconLayoutSidebarRight size={15} aria-hidden />}
          onClick={() => changePreviewView({ isOpen: !isOpen })}
        >
          {PREVIEW_TEXTS.preview}
        </Button>
      )}
    </>
  );
}

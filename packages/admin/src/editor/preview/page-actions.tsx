// The actions for a content object's page: view the published page, share a preview, and show the preview beside the form.

import type { ManagedContentBody } from '@galley/wire';
import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconExternalLink, IconLayoutSidebarRight, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { previewSettingsQuery } from '../../sites/preview-queries.ts';
import { PREVIEW_TEXTS, SHARE_TEXTS } from '../../texts/preview-texts.ts';
import classes from './page-actions.module.css';
import { changePreviewView, usePreviewView } from './preview-view.ts';
import { ShareDialog } from './share-dialog.tsx';

interface PageActionsProps {
  readonly site: string;
  readonly content: ManagedContentBody;
}

export function PageActions({ site, content }: PageActionsProps) {
  const { isOpen } = usePreviewView();
  const [isSharing, { open, close }] = useDisclosure(false);
  const { data: settings } = useQuery(previewSettingsQuery(site));
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
          >
            <span className={classes.label}>{PREVIEW_TEXTS.viewPage}</span>
            <IconExternalLink size={15} className={classes.icon} aria-hidden />
          </Button>
        </Tooltip>
      )}
      {!isArchived && settings !== undefined && settings.addresses.length > 0 && (
        <Button variant="default" size="compact-md" title={SHARE_TEXTS.share} onClick={open}>
          <IconShare size={15} className={classes.icon} aria-hidden />
          <span className={classes.label}>{SHARE_TEXTS.share}</span>
        </Button>
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
      {isSharing && settings !== undefined && (
        <ShareDialog site={site} content={content.id} addresses={settings.addresses} onClose={close} />
      )}
    </>
  );
}

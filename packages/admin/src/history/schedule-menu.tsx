// When content is to be published or unpublished: what is set, and a dialog to set or cancel it.

import type { ManagedContentBody } from '@galley/wire';
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock } from '@tabler/icons-react';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { ScheduleForm } from './schedule-form.tsx';

interface ScheduleMenuProps {
  readonly site: string;
  readonly content: ManagedContentBody;
}

export function ScheduleMenu({ site, content }: ScheduleMenuProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  if (content.state === 'archived') return null;
  const isScheduled = content.publish_at !== null || content.unpublish_at !== null;
  return (
    <>
      <Button
        variant={isScheduled ? 'light' : 'default'}
        leftSection={<IconClock size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {describeSchedule(content)}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={HISTORY_TEXTS.scheduleTitle}
        closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
      >
        <ScheduleForm site={site} content={content} onDone={close} />
      </Modal>
    </>
  );
}

const MOMENT = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });

function describeSchedule({ publish_at: publishAt, unpublish_at: unpublishAt }: ManagedContentBody): string {
  const publish = publishAt === null ? undefined : MOMENT.format(new Date(publishAt));
  const unpublish = unpublishAt === null ? undefined : MOMENT.format(new Date(unpublishAt));
  if (publish !== undefined && unpublish !== undefined)
    return HISTORY_TEXTS.publishesAndUnpublishes(publish, unpublish);
  if (publish !== undefined) return HISTORY_TEXTS.publishes(publish);
  return unpublish === undefined ? HISTORY_TEXTS.schedule : HISTORY_TEXTS.unpublishes(unpublish);
}

// When content is to be published or unpublished: a button for the status bar, and its dialog to set or cancel it.

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
  return (
    <>
      <Button variant="default" leftSection={<IconClock size={16} aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {HISTORY_TEXTS.schedule}
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

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
  readonly label?: string;
  readonly size?: 'sm' | 'compact-sm';
}

export function ScheduleMenu({ site, content, label = HISTORY_TEXTS.schedule, size = 'sm' }: ScheduleMenuProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  if (content.state === 'archived') return null;
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<IconClock size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {label}
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

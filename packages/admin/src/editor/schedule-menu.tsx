// Schedules publishing and unpublishing: a button for the status bar, and the dialog that it opens.

import type { ManagedContentBody } from '@galley/wire';
import { Button, CloseButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { formatExactMoment, readTimeZone } from '../elements/time-text.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TAB_TEXTS } from '../texts/tab-texts.ts';
import { cancelSchedule, keepContent } from './content-calls.ts';
import { LATEST_LOCAL_TIME, parseLocalTime } from './fields/local-time.ts';
import {
  buildMorning,
  buildScheduleChange,
  countDaysToMonday,
  readSchedule,
  type ScheduleValues,
} from './schedule-change.ts';
import { saveFirst, useDraft } from './use-draft.ts';

interface ScheduleMenuProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly label?: string;
  readonly size?: 'sm' | 'compact-sm';
}

export function ScheduleMenu({ site, content, label = TAB_TEXTS.schedule, size = 'sm' }: ScheduleMenuProps) {
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
        title={TAB_TEXTS.scheduleTitle}
        closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
      >
        <ScheduleForm site={site} content={content} onDone={close} />
      </Modal>
    </>
  );
}

const NO_SCHEDULE: ScheduleValues = { publish_at: '', unpublish_at: '' };

interface ScheduleFormProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly onDone: () => void;
}

function ScheduleForm({ site, content, onDone }: ScheduleFormProps) {
  const queryClient = useQueryClient();
  const draft = useDraft();
  const save = async (values: ScheduleValues, initial: ScheduleValues): Promise<ManagedContentBody> => {
    await saveFirst(draft);
    return saveSchedule({
      site,
      content,
      values,
      initial,
      onStep: (saved) => keepContent(queryClient, site, saved),
    });
  };
  const finish = (saved: ManagedContentBody): void => {
    const isCancelled = saved.publish_at === null && saved.unpublish_at === null;
    showToast({ text: isCancelled ? TAB_TEXTS.scheduleCancelled : TAB_TEXTS.scheduled });
    onDone();
  };
  const { form, values, initial, set, textOf, message, isPending, isChanged } = useApiForm({
    initial: readSchedule(content),
    submit: save,
    onDone: finish,
  });
  const cancel = useMutation({
    mutationFn: () => save(NO_SCHEDULE, readSchedule(content)),
    onSuccess: finish,
  });
  /** Adds the exact time, including the UTC offset, to the help text. */
  const describeTime = (help: string, name: keyof ScheduleValues): string => {
    const moment = values[name] === initial[name] ? content[name] : parseLocalTime(values[name]);
    return moment == null ? help : `${help} ${formatExactMoment(moment)}.`;
  };
  const now = new Date();
  const isScheduled = content.publish_at !== null || content.unpublish_at !== null;
  return (
    <form {...form}>
      <Stack gap="md">
        <FormMessage message={cancel.error === null ? message : describeError(cancel.error)} />
        <div>
          <TextInput
            type="datetime-local"
            max={LATEST_LOCAL_TIME}
            name="publish_at"
            description={describeTime(TAB_TEXTS.publishAtHelp, 'publish_at')}
            data-autofocus
            {...textOf('publish_at', TAB_TEXTS.publishAt)}
            {...clearButton(values.publish_at, TAB_TEXTS.clearPublish, () => set('publish_at', ''))}
          />
          <Group gap="xs" mt={6}>
            <Preset label={TAB_TEXTS.tomorrow} onClick={() => set('publish_at', buildMorning(now, 1))} />
            <Preset
              label={TAB_TEXTS.nextMonday}
              onClick={() => set('publish_at', buildMorning(now, countDaysToMonday(now)))}
            />
          </Group>
        </div>
        <TextInput
          type="datetime-local"
          max={LATEST_LOCAL_TIME}
          name="unpublish_at"
          description={describeTime(TAB_TEXTS.unpublishAtHelp, 'unpublish_at')}
          {...textOf('unpublish_at', TAB_TEXTS.unpublishAt)}
          {...clearButton(values.unpublish_at, TAB_TEXTS.clearUnpublish, () => set('unpublish_at', ''))}
        />
        <Text c="dimmed" size="sm">
          {TAB_TEXTS.timeZone(readTimeZone())}
        </Text>
        <Group justify="flex-end" gap="xs">
          {isScheduled && (
            <Button variant="subtle" color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {TAB_TEXTS.cancelSchedule}
            </Button>
          )}
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            {TAB_TEXTS.saveSchedule}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ScheduleSave {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly values: ScheduleValues;
  readonly initial: ScheduleValues;
  /** Called with the updated content after each step, even if the next step fails. */
  readonly onStep: (content: ManagedContentBody) => Promise<void>;
}

/** Sets the changed times and cancels the cleared ones. */
async function saveSchedule({ site, content, values, initial, onStep }: ScheduleSave): Promise<ManagedContentBody> {
  const params = { path: { site, content: content.id } };
  const { times, cancelled, isCancelledFirst } = buildScheduleChange(content, values, initial);
  const steps: (() => Promise<ManagedContentBody>)[] = [];
  if (Object.keys(times).length > 0) {
    steps.push(() =>
      readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/schedule', { params, body: times })),
    );
  }
  if (cancelled !== undefined) {
    steps.push(() => cancelSchedule(site, content.id, cancelled));
  }
  let saved = content;
  for (const step of isCancelledFirst ? steps.toReversed() : steps) {
    saved = await step();
    await onStep(saved);
  }
  return saved;
}

function clearButton(value: string, label: string, onClick: () => void) {
  if (value === '') return {};
  return { rightSection: <CloseButton size="sm" aria-label={label} onClick={onClick} /> };
}

function Preset({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick}>
      {label}
    </Button>
  );
}

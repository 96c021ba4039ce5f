// Shows this content's failed schedule, the reason for the failure, and the editor's options.

import type { FailedScheduleBody, ManagedTypeBody } from '@galley/wire';
import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isConflict } from '../api/api-error.ts';
import { describeFailure } from '../content/say-fault.ts';
import { showToast } from '../elements/show-toast.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { describeError } from '../forms/describe-error.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { cancelSchedule, contentQuery, keepContent } from './content-calls.ts';
import { ScheduleMenu } from './schedule-menu.tsx';
import { useDraft, useDraftState } from './use-draft.ts';

interface FailedScheduleProps {
  readonly site: string;
  readonly failed: FailedScheduleBody;
  readonly types: readonly ManagedTypeBody[];
}

export function FailedSchedule({ site, failed, types }: FailedScheduleProps) {
  const queryClient = useQueryClient();
  const draft = useDraft();
  const content = useDraftState((state) => state.content);
  const { action, due_at: dueAt, errors } = failed;
  const reasons = describeFailure(failed, content.content_type, types);
  const texts = EDITOR_TEXTS.failedSchedule;
  const dismiss = useMutation({
    mutationFn: () => cancelSchedule(site, content.id, action),
    onSuccess: (dismissed) => {
      draft.adopt(dismissed);
      return keepContent(queryClient, site, dismissed);
    },
    onError: async (error) => {
      // Somebody else has already dismissed or changed it, so this loads the current version.
      if (!isConflict(error)) return void showToast({ isError: true, text: describeError(error) });
      await queryClient.invalidateQueries({ queryKey: contentQuery(site, content.id).queryKey });
    },
  });
  const isSolved = action === 'publish' && errors.length > 0 && content.faults.length === 0;
  return (
    <Alert
      color="red"
      role="region"
      icon={<IconClockExclamation size={20} aria-hidden />}
      title={
        <>
          {texts.titles[action]} <TimeText value={dueAt} withTime />
        </>
      }
    >
      {errors.length === 0 ? (
        <Text size="sm">{reasons}</Text>
      ) : (
        <List size="sm">
          {errors.map(({ path, message }, index) => (
            <List.Item key={`${path} ${message}`}>{reasons[index]}</List.Item>
          ))}
        </List>
      )}
      {isSolved && (
        <Text size="sm" mt="xs">
          {texts.solved}
        </Text>
      )}
      <Group gap="xs" mt="sm">
        <ScheduleMenu site={site} content={content} label={texts.again} size="compact-sm" />
        <Button size="compact-sm" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {texts.dismiss}
        </Button>
      </Group>
    </Alert>
  );
}

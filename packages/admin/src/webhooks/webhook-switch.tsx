import type { WebhookBody } from '@galley/wire';
import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import { keepWebhook } from './webhook-queries.ts';
import classes from './webhook-switch.module.css';

interface WebhookSwitchProps {
  readonly site: string;
  readonly webhook: WebhookBody;
  /** Whether the switch is in a list, where its label must name the webhook. */
  readonly isInList?: boolean;
}

/** Switches a webhook on or off immediately. Asks for confirmation if calls are waiting, because they would be lost. */
export function WebhookSwitch({ site, webhook, isInList = false }: WebhookSwitchProps) {
  const { id, name, is_on: isOn, waiting_calls: waiting } = webhook;
  const queryClient = useQueryClient();
  const [isAsking, { open: ask, close }] = useDisclosure(false);
  const change = async (next: boolean): Promise<void> => {
    const changed: WebhookBody = await readAnswer(
      api.PATCH('/manage/v1/sites/{site}/webhooks/{webhook}', {
        params: { path: { site, webhook: id } },
        body: { is_on: next },
      }),
    );
    await keepWebhook(queryClient, site, changed);
    showToast({ text: next ? WEBHOOK_TEXTS.switchedOn(name) : WEBHOOK_TEXTS.switchedOff(name) });
  };
  const work = useMutation({
    mutationFn: change,
    onError: (error) => showToast({ isError: true, text: describeError(error) }),
  });
  return (
    <>
      <Switch
        className={classes.switch}
        {...(isInList ? { 'aria-label': WEBHOOK_TEXTS.onOf(name) } : { label: WEBHOOK_TEXTS.on })}
        checked={work.isPending ? work.variables : isOn}
        onChange={(event) => {
          if (work.isPending) return;
          if (isOn && waiting > 0) ask();
          else work.mutate(event.currentTarget.checked);
        }}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title={WEBHOOK_TEXTS.switchOffTitle(name)}
        text={WEBHOOK_TEXTS.switchOffText(waiting)}
        confirmLabel={WEBHOOK_TEXTS.switchOff}
        onConfirm={() => change(false)}
        onClose={close}
      />
    </>
  );
}

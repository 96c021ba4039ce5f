// Shows whether a webhook works, and if not, why.

import type { WebhookBody } from '@galley/wire';
import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TimeText } from '../elements/time-text.tsx';
import { WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';

type State = keyof typeof WEBHOOK_TEXTS.states;

const COLORS: Readonly<Record<State, string>> = {
  unused: 'gray',
  working: 'pine',
  waiting: 'yellow',
  failing: 'red',
  stopped: 'red',
  off: 'gray',
};

/** `stopped` means that Galley switched the webhook off, and `off` that an owner did. */
export function findWebhookState(webhook: WebhookBody): State {
  if (!webhook.is_on) return webhook.off_reason === null ? 'off' : 'stopped';
  if (webhook.failing_since !== null) return 'failing';
  if (webhook.waiting_calls > 0) return 'waiting';
  return webhook.last_call_at === null ? 'unused' : 'working';
}

export function WebhookState({ webhook }: { readonly webhook: WebhookBody }) {
  const state = findWebhookState(webhook);
  return (
    <Badge variant="light" size="sm" color={COLORS[state]}>
      {WEBHOOK_TEXTS.states[state]}
    </Badge>
  );
}

/** The state, with its start time or its reason below. */
export function WebhookStateDetails({ webhook }: { readonly webhook: WebhookBody }) {
  const details = describeState(webhook);
  return (
    <div>
      <WebhookState webhook={webhook} />
      {details !== undefined && (
        <Text size="xs" c="dimmed" mt={2} maw="13rem">
          {details}
        </Text>
      )}
    </div>
  );
}

function describeState(webhook: WebhookBody): ReactNode {
  const { failing_since: since, off_at: offAt, off_reason: reason, waiting_calls: waiting } = webhook;
  const state = findWebhookState(webhook);
  if (state === 'waiting') return WEBHOOK_TEXTS.waiting(waiting);
  if (state === 'failing' && since !== null) {
    return (
      <>
        {WEBHOOK_TEXTS.failingSince} <TimeText value={since} withTime />
      </>
    );
  }
  if (state !== 'stopped' || offAt === null || reason === null) return undefined;
  return (
    <>
      {WEBHOOK_TEXTS.stopReasonsShort[reason]} <TimeText value={offAt} withTime />
    </>
  );
}

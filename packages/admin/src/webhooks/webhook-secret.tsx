// The secret that signs a webhook's calls. It is shown once, after it has been created, and exists only in a component's state.

import type { NewWebhookBody, WebhookBody } from '@galley/wire';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { Card, SecretCard } from '../elements/card.tsx';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { CodeBlock } from '../elements/copyable.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { WEBHOOK_SECRET_TEXTS } from '../texts/webhook-texts.ts';
import { keepWebhook } from './webhook-queries.ts';

const VERIFY = [
  "import { Webhook } from 'standardwebhooks';",
  '',
  'const webhook = new Webhook(process.env.WEBHOOK_SECRET);',
  '// Throws an error if the signature is not valid.',
  '// The body must be the text as it arrived.',
  'const event = webhook.verify(body, request.headers);',
].join('\n');

interface NewSecretProps {
  readonly secret: string;
  /** The link or button for leaving the page. */
  readonly done: ReactNode;
}

export function NewSecret({ secret, done }: NewSecretProps) {
  return (
    <SecretCard warning={WEBHOOK_SECRET_TEXTS.once} done={done}>
      <CodeBlock label={WEBHOOK_SECRET_TEXTS.secret} what={WEBHOOK_SECRET_TEXTS.secret} code={secret} />
      <Text size="sm">{WEBHOOK_SECRET_TEXTS.verifyHelp}</Text>
      <CodeBlock label={WEBHOOK_SECRET_TEXTS.verify} what={WEBHOOK_SECRET_TEXTS.code} code={VERIFY} />
    </SecretCard>
  );
}

interface WebhookSecretProps {
  readonly site: string;
  readonly webhook: WebhookBody;
}

/** Replaces the secret, and shows the new one until somebody has copied it. */
export function WebhookSecret({ site, webhook }: WebhookSecretProps) {
  const queryClient = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState<string>();
  const replace = async (): Promise<void> => {
    const { secret: created, ...changed }: NewWebhookBody = await readAnswer(
      api.POST('/manage/v1/sites/{site}/webhooks/{webhook}/rotate-secret', {
        params: { path: { site, webhook: webhook.id } },
      }),
    );
    setSecret(created);
    await keepWebhook(queryClient, site, changed);
  };
  if (secret !== undefined) {
    const done = <Button onClick={() => setSecret(undefined)}>{WEBHOOK_SECRET_TEXTS.done}</Button>;
    return <NewSecret secret={secret} done={done} />;
  }
  return (
    <Card title={WEBHOOK_SECRET_TEXTS.title} intro={WEBHOOK_SECRET_TEXTS.intro}>
      {webhook.former_secret_until !== null && (
        <Text size="sm">
          {WEBHOOK_SECRET_TEXTS.formerUntil} <TimeText value={webhook.former_secret_until} withTime />.
        </Text>
      )}
      <div>
        <Button variant="default" onClick={open}>
          {WEBHOOK_SECRET_TEXTS.replace}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title={WEBHOOK_SECRET_TEXTS.replaceTitle}
        text={WEBHOOK_SECRET_TEXTS.replaceText}
        confirmLabel={WEBHOOK_SECRET_TEXTS.replace}
        isHarmless
        onConfirm={replace}
        onClose={close}
      />
    </Card>
  );
}

import type { WebhookBody } from '@galley/wire';
import { Group } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { BackToWebhook } from './webhook-link.tsx';
import { keepWebhook, webhookQuery, webhooksQuery } from './webhook-queries.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';
import { buildWebhookChange, readWebhookValues } from './webhook-values.ts';

const route = getRouteApi('/signed-in/sites/$site/webhooks/$webhook/settings');

export function WebhookSettingsPage() {
  const { site, webhook: id } = route.useParams();
  const navigate = route.useNavigate();
  const { data: webhook } = useSuspenseQuery(webhookQuery(site, id));
  const queryClient = useQueryClient();
  // The form is reset after each save, so that it no longer contains header values.
  const [saves, setSaves] = useState(0);
  const remove = async (): Promise<void> => {
    await readAnswer(
      api.DELETE('/manage/v1/sites/{site}/webhooks/{webhook}', { params: { path: { site, webhook: id } } }),
    );
    await navigate({ to: '/sites/$site/webhooks', params: { site } });
    queryClient.removeQueries({ queryKey: webhookQuery(site, id).queryKey });
    await queryClient.invalidateQueries({ queryKey: webhooksQuery(site).queryKey, exact: true });
    showToast({ text: WEBHOOK_TEXTS.deleted(webhook.name) });
  };
  return (
    <Page
      title={WEBHOOK_TEXTS.settings}
      tabTitle={WEBHOOK_TEXTS.settingsOf(webhook.name)}
      intro={<BackToWebhook site={site} webhook={webhook} />}
      actions={
        <Group gap="md">
          <WebhookSwitch site={site} webhook={webhook} />
          <CopyableId id={id} what={WEBHOOK_TEXTS.id} />
        </Group>
      }
      isNarrow
    >
      <Card>
        <WebhookForm
          key={`${id} ${saves}`}
          site={site}
          webhook={webhook}
          onSaved={() => setSaves((count) => count + 1)}
        />
      </Card>
      <WebhookSecret key={id} site={site} webhook={webhook} />
      <DeleteCard
        label={WEBHOOK_TEXTS.deleteWebhook}
        intro={WEBHOOK_TEXTS.deleteIntro}
        question={WEBHOOK_TEXTS.deleteTitle(webhook.name)}
        warning={WEBHOOK_TEXTS.deleteText}
        onDelete={remove}
      />
    </Page>
  );
}

interface WebhookFormProps {
  readonly site: string;
  readonly webhook: WebhookBody;
  readonly onSaved: () => void;
}

function WebhookForm({ site, webhook, onSaved }: WebhookFormProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initial: readWebhookValues(webhook),
    submit: (values, initial) =>
      readAnswer(
        api.PATCH('/manage/v1/sites/{site}/webhooks/{webhook}', {
          params: { path: { site, webhook: webhook.id } },
          body: buildWebhookChange(values, initial),
        }),
      ),
    onDone: async (changed: WebhookBody) => {
      await keepWebhook(queryClient, site, changed);
      showToast({ text: WEBHOOK_TEXTS.changed });
      onSaved();
    },
  });
  return (
    <FormFrame form={form} autoComplete="off">
      <WebhookFields site={site} form={form} />
      <SaveButton form={form} />
    </FormFrame>
  );
}

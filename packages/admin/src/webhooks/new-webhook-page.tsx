import type { NewWebhookBody } from '@galley/wire';
import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CancelLink, LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { WEBHOOK_SECRET_TEXTS, WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { webhooksQuery } from './webhook-queries.ts';
import { NewSecret } from './webhook-secret.tsx';
import { buildWebhookBody, NEW_WEBHOOK } from './webhook-values.ts';

const route = getRouteApi('/signed-in/sites/$site/webhooks/new');

/** The secret exists only in this component's state, and only while it is shown. */
export function NewWebhookPage() {
  const { site } = route.useParams();
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewWebhookBody>();
  if (created !== undefined) {
    const done = (
      <LinkButton to="/sites/$site/webhooks/$webhook" params={{ site, webhook: created.id }}>
        {WEBHOOK_SECRET_TEXTS.done}
      </LinkButton>
    );
    return (
      <Page title={WEBHOOK_SECRET_TEXTS.createdTitle} intro={created.name} isNarrow>
        <NewSecret secret={created.secret} done={done} />
      </Page>
    );
  }
  return (
    <Page title={WEBHOOK_TEXTS.newTitle} isNarrow>
      <Card>
        <NewWebhookForm
          key={site}
          site={site}
          onCreated={async (webhook) => {
            setCreated(webhook);
            await queryClient.invalidateQueries({ queryKey: webhooksQuery(site).queryKey });
          }}
        />
      </Card>
    </Page>
  );
}

interface NewWebhookFormProps {
  readonly site: string;
  readonly onCreated: (webhook: NewWebhookBody) => Promise<void>;
}

function NewWebhookForm({ site, onCreated }: NewWebhookFormProps) {
  const form = useApiForm({
    initial: { ...NEW_WEBHOOK, is_on: true },
    submit: ({ is_on: isOn, ...values }) =>
      readAnswer(
        api.POST('/manage/v1/sites/{site}/webhooks', {
          params: { path: { site } },
          body: { ...buildWebhookBody(values), is_on: isOn },
        }),
      ),
    onDone: onCreated,
  });
  return (
    <FormFrame form={form} autoComplete="off">
      <WebhookFields site={site} form={form} isNew />
      <Switch
        label={WEBHOOK_TEXTS.on}
        description={WEBHOOK_TEXTS.onHelp}
        checked={form.values.is_on}
        onChange={(event) => form.set('is_on', event.currentTarget.checked)}
      />
      <FormButtons form={form} label={WEBHOOK_TEXTS.create}>
        <CancelLink to="/sites/$site/webhooks" params={{ site }} />
      </FormButtons>
    </FormFrame>
  );
}

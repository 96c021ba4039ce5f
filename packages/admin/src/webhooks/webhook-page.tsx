import type { WebhookBody } from '@galley/wire';
import { Button, Group } from '@mantine/core';
import { IconSend, IconSettings } from '@tabler/icons-react';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { CALL_TEXTS, WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import { CallLog } from './call-log.tsx';
import { sendTest } from './call-queries.ts';
import { WebhookAlert } from './webhook-alerts.tsx';
import { RELOAD_MS, webhookQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';
import { WebhookUrl } from './webhook-url.tsx';

const route = getRouteApi('/signed-in/sites/$site/webhooks/$webhook');

/** Shows whether a webhook works, and the log of its calls. */
export function WebhookPage() {
  const { site, webhook: id } = route.useParams();
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: webhook } = useSuspenseQuery({ ...webhookQuery(site, id), refetchInterval: RELOAD_MS });
  return (
    <Page
      title={webhook.name}
      intro={<WebhookUrl url={webhook.url} />}
      actions={
        <Group gap="md">
          <WebhookState webhook={webhook} />
          <WebhookSwitch site={site} webhook={webhook} />
          <Group gap="xs">
            <SendTest site={site} webhook={webhook} />
            <LinkButton
              to="/sites/$site/webhooks/$webhook/settings"
              params={{ site, webhook: id }}
              variant="default"
              leftSection={<IconSettings size={16} aria-hidden />}
            >
              {WEBHOOK_TEXTS.settings}
            </LinkButton>
          </Group>
        </Group>
      }
    >
      <WebhookAlert site={site} webhook={webhook} />
      <CallLog
        key={id}
        site={site}
        webhook={webhook}
        state={state}
        onFilter={(next) => void navigate({ to: '.', search: { state: next }, replace: true })}
      />
    </Page>
  );
}

interface SendTestProps {
  readonly site: string;
  readonly webhook: WebhookBody;
}

function SendTest({ site, webhook: { id, is_on: isOn } }: SendTestProps) {
  const queryClient = useQueryClient();
  const test = useMutation({
    mutationFn: () => sendTest(queryClient, { site, webhook: id }),
    onSuccess: () => showToast({ text: CALL_TEXTS.testSent }),
    onError: (error) => showToast({ isError: true, text: describeError(error) }),
  });
  return (
    <Button
      leftSection={<IconSend size={16} aria-hidden />}
      disabled={!isOn}
      loading={test.isPending}
      onClick={() => test.mutate()}
    >
      {CALL_TEXTS.test}
    </Button>
  );
}

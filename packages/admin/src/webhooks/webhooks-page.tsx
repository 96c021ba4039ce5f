import type { WebhookBody } from '@galley/wire';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { TimeOrNever } from '../elements/time-text.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import { WebhookProblems } from './webhook-alerts.tsx';
import { RELOAD_MS, webhooksQuery } from './webhook-queries.ts';
import { WebhookStateDetails } from './webhook-state.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';
import { WebhookUrl } from './webhook-url.tsx';

const route = getRouteApi('/signed-in/sites/$site/webhooks');

export function WebhooksPage() {
  const { site } = route.useParams();
  const navigate = route.useNavigate();
  const { data: webhooks } = useSuspenseQuery({ ...webhooksQuery(site), refetchInterval: RELOAD_MS });
  useShortcuts([
    {
      keys: 'N',
      label: WEBHOOK_TEXTS.newTitle,
      run: () => navigate({ to: '/sites/$site/webhooks/new', params: { site } }),
    },
  ]);
  const create = (
    <LinkButton to="/sites/$site/webhooks/new" params={{ site }} leftSection={<IconPlus size={16} aria-hidden />}>
      {WEBHOOK_TEXTS.newTitle}
    </LinkButton>
  );
  if (webhooks.length === 0) {
    return (
      <Page title={WEBHOOK_TEXTS.listTitle}>
        <EmptyState title={WEBHOOK_TEXTS.emptyTitle} text={WEBHOOK_TEXTS.emptyText} action={create} />
      </Page>
    );
  }
  return (
    <Page title={WEBHOOK_TEXTS.listTitle} intro={WEBHOOK_TEXTS.listText} actions={create}>
      <WebhookProblems site={site} webhooks={webhooks} />
      <DataTable label={WEBHOOK_TEXTS.listTitle} columns={listColumns(site)} rows={webhooks} keyOf={({ id }) => id} />
    </Page>
  );
}

function listColumns(site: string): readonly Column<WebhookBody>[] {
  return [
    {
      header: WEBHOOK_TEXTS.name,
      isName: true,
      cell: ({ id, name }) => (
        <TextLink to="/sites/$site/webhooks/$webhook" params={{ site, webhook: id }}>
          {name}
        </TextLink>
      ),
    },
    { header: WEBHOOK_TEXTS.state, cell: (webhook) => <WebhookStateDetails webhook={webhook} /> },
    { header: WEBHOOK_TEXTS.url, cell: ({ url }) => <WebhookUrl url={url} isShort /> },
    { header: WEBHOOK_TEXTS.lastCall, cell: (webhook) => <TimeOrNever value={webhook.last_call_at} /> },
    {
      header: WEBHOOK_TEXTS.on,
      cell: (webhook) => <WebhookSwitch site={site} webhook={webhook} isInList />,
    },
  ];
}

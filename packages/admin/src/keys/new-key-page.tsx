import type { NewApiKeyBody } from '@galley/wire';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { readDelivery } from '../api/delivery.ts';
import { Card, SecretCard } from '../elements/card.tsx';
import { CodeBlock } from '../elements/copyable.tsx';
import { CancelLink, LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { KeyFields } from './key-fields.tsx';
import { keysQuery } from './key-queries.ts';
import { buildKeyBody, type KeyValues } from './key-values.ts';

/** The token exists only in this component's state, and only while it is shown. */
export function NewKeyPage() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewApiKeyBody>();
  if (created !== undefined) {
    return (
      <Page title={KEY_TEXTS.createdTitle} intro={created.name} isNarrow>
        <CreatedKey created={created} />
      </Page>
    );
  }
  return (
    <Page title={KEY_TEXTS.newTitle} isNarrow>
      <Card>
        <NewKeyForm
          onCreated={async (key) => {
            setCreated(key);
            await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
          }}
        />
      </Card>
    </Page>
  );
}

interface NewKeyFormProps {
  readonly onCreated: (key: NewApiKeyBody) => Promise<void>;
}

function NewKeyForm({ onCreated }: NewKeyFormProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const initial: KeyValues = {
    name: '',
    all_sites: sites.length === 0,
    sites: sites.length === 1 ? sites.map(({ id }) => id) : [],
    preview: false,
    expires_at: null,
    rate_limit: '',
  };
  const form = useApiForm({
    initial,
    submit: (key) => readAnswer(api.POST('/manage/v1/keys', { body: buildKeyBody(key) })),
    onDone: onCreated,
  });
  return (
    <FormFrame form={form}>
      <KeyFields form={form} isNew />
      <FormButtons form={form} label={KEY_TEXTS.create}>
        <CancelLink to="/account/keys" />
      </FormButtons>
    </FormFrame>
  );
}

/** Shows the new token once, with a command and code that use it. */
function CreatedKey({ created }: { readonly created: NewApiKeyBody }) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const site = created.sites[0] ?? sites[0]?.id ?? 'SITE_ID';
  return (
    <SecretCard warning={KEY_TEXTS.tokenOnce} done={<LinkButton to="/account/keys">{KEY_TEXTS.done}</LinkButton>}>
      <CodeBlock label={KEY_TEXTS.token} what={KEY_TEXTS.token} code={created.token} />
      <CodeBlock label={KEY_TEXTS.tryIt} what={KEY_TEXTS.command} code={renderCurl(created.token, site)} />
      <CodeBlock label={KEY_TEXTS.inCode} what={KEY_TEXTS.code} code={renderClientCode(created.token, site)} />
    </SecretCard>
  );
}

function renderCurl(token: string, site: string): string {
  const { apiUrl, headerPrefix } = readDelivery();
  return [
    `curl '${apiUrl}/content?limit=5' \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H '${headerPrefix}-SITE: ${site}'`,
  ].join('\n');
}

function renderClientCode(token: string, site: string): string {
  const { apiUrl, headerPrefix } = readDelivery();
  const prefix = headerPrefix === 'X-SERVICE' ? [] : [`  headerPrefix: '${headerPrefix}',`];
  return [
    "import { createClient } from '@galley/client';",
    '',
    'const client = createClient({',
    `  apiURL: '${apiUrl}',`,
    `  apiKey: '${token}',`,
    `  siteId: '${site}',`,
    ...prefix,
    '});',
    'const { content } = await client.getContent({ params: { limit: 5 } });',
  ].join('\n');
}

// The one look at a new token, with what it is used in: a line for the terminal and a start in code.

import type { NewApiKeyBody } from '@galley/wire';
import { useSuspenseQuery } from '@tanstack/react-query';
import { readDelivery } from '../api/delivery.ts';
import { CodeBlock } from '../elements/code-block.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { SecretCard } from '../elements/secret-card.tsx';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';

export function CreatedKey({ created }: { readonly created: NewApiKeyBody }) {
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

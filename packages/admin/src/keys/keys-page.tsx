import type { ApiKeyBody } from '@galley/wire';
import { Button, Code } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { TimeOrNever } from '../elements/time-text.tsx';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { keysQuery } from './key-queries.ts';
import { findKeyState, KeyState, revokeKey } from './key-state.tsx';

export function KeysPage() {
  const { data: keys } = useSuspenseQuery(keysQuery);
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const queryClient = useQueryClient();
  const [leaving, setLeaving] = useState<ApiKeyBody>();
  const names = new Map(sites.map(({ id, name }) => [id, name]));
  const create = (
    <LinkButton to="/account/keys/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {KEY_TEXTS.newTitle}
    </LinkButton>
  );
  if (keys.length === 0) {
    return (
      <Page title={KEY_TEXTS.listTitle}>
        <EmptyState title={KEY_TEXTS.emptyTitle} text={KEY_TEXTS.emptyText} action={create} />
      </Page>
    );
  }
  return (
    <Page title={KEY_TEXTS.listTitle} intro={KEY_TEXTS.listText} actions={create}>
      <DataTable
        label={KEY_TEXTS.listTitle}
        columns={listColumns(names, setLeaving)}
        rows={keys}
        keyOf={({ id }) => id}
      />
      <ConfirmDialog
        isOpen={leaving !== undefined}
        title={KEY_TEXTS.revokeTitle(leaving?.name ?? '')}
        text={KEY_TEXTS.revokeText}
        confirmLabel={KEY_TEXTS.revoke}
        onConfirm={async () => leaving !== undefined && revokeKey(queryClient, leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </Page>
  );
}

function listColumns(
  names: ReadonlyMap<string, string>,
  onRevoke: (key: ApiKeyBody) => void,
): readonly Column<ApiKeyBody>[] {
  return [
    {
      header: KEY_TEXTS.name,
      isName: true,
      cell: ({ id, name }) => (
        <TextLink to="/account/keys/$key" params={{ key: id }}>
          {name}
        </TextLink>
      ),
    },
    { header: KEY_TEXTS.state, cell: (key) => <KeyState apiKey={key} /> },
    { header: KEY_TEXTS.prefix, cell: ({ prefix }) => <Code bg="transparent" p={0}>{`${prefix}…`}</Code> },
    {
      header: KEY_TEXTS.sites,
      cell: (key) => (key.all_sites ? KEY_TEXTS.allSites : key.sites.map((id) => names.get(id) ?? id).join(', ')),
    },
    { header: KEY_TEXTS.preview, cell: ({ preview }) => (preview ? KEY_TEXTS.yes : KEY_TEXTS.no) },
    { header: KEY_TEXTS.expires, cell: (key) => <TimeOrNever value={key.expires_at} isDay /> },
    { header: KEY_TEXTS.lastUsed, cell: (key) => <TimeOrNever value={key.last_used_at} /> },
    { header: KEY_TEXTS.limit, cell: ({ rate_limit: limit }) => describeLimit(limit) },
    {
      header: KEY_TEXTS.revoke,
      isAction: true,
      cell: (key) =>
        findKeyState(key, Date.now()) !== 'revoked' && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={KEY_TEXTS.revokeOf(key.name)}
            onClick={() => onRevoke(key)}
          >
            {KEY_TEXTS.revoke}
          </Button>
        ),
    },
  ];
}

function describeLimit(limit: number | null): string {
  if (limit === null) return KEY_TEXTS.serverLimit;
  return limit === 0 ? KEY_TEXTS.noLimit : KEY_TEXTS.limitOf(limit);
}

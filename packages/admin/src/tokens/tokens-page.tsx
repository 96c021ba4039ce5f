import type { ManagementTokenBody } from '@galley/wire';
import { Alert, Badge, Button, Code } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { TimeOrNever } from '../elements/time-text.tsx';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TOKEN_TEXTS } from '../texts/token-texts.ts';
import { tokensQuery } from './token-queries.ts';

const COLORS = { active: 'pine', suspended: 'red', revoked: 'red', expired: 'gray' } as const;

export function TokensPage() {
  const { data: tokens } = useSuspenseQuery(tokensQuery);
  const queryClient = useQueryClient();
  const [leaving, setLeaving] = useState<ManagementTokenBody>();
  const create = (
    <LinkButton to="/account/tokens/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {TOKEN_TEXTS.newTitle}
    </LinkButton>
  );
  const revoke = async ({ id, name }: ManagementTokenBody): Promise<void> => {
    await readAnswer(api.POST('/manage/v1/tokens/{token}/revoke', { params: { path: { token: id } } }));
    await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    showToast({ text: TOKEN_TEXTS.revoked(name) });
  };
  if (tokens.length === 0) {
    return (
      <Page title={TOKEN_TEXTS.listTitle}>
        <EmptyState title={TOKEN_TEXTS.emptyTitle} text={TOKEN_TEXTS.emptyText} action={create} />
      </Page>
    );
  }
  return (
    <Page title={TOKEN_TEXTS.listTitle} intro={TOKEN_TEXTS.listText} actions={create}>
      {tokens.some(({ state, created_by: creator }) => state === 'active' && creator === null) && (
        <Alert color="yellow">{TOKEN_TEXTS.unknownHelp}</Alert>
      )}
      <DataTable label={TOKEN_TEXTS.listTitle} columns={listColumns(setLeaving)} rows={tokens} keyOf={({ id }) => id} />
      <ConfirmDialog
        isOpen={leaving !== undefined}
        title={TOKEN_TEXTS.revokeTitle(leaving?.name ?? '')}
        text={TOKEN_TEXTS.revokeText}
        confirmLabel={TOKEN_TEXTS.revoke}
        onConfirm={async () => leaving !== undefined && revoke(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </Page>
  );
}

function listColumns(onRevoke: (token: ManagementTokenBody) => void): readonly Column<ManagementTokenBody>[] {
  return [
    { header: TOKEN_TEXTS.name, isName: true, cell: ({ name }) => name },
    {
      header: TOKEN_TEXTS.state,
      cell: ({ state }) => (
        <Badge variant="light" size="sm" color={COLORS[state]}>
          {TOKEN_TEXTS.states[state]}
        </Badge>
      ),
    },
    { header: TOKEN_TEXTS.role, cell: ({ role }) => SHELL_TEXTS.roles[role] },
    { header: TOKEN_TEXTS.prefix, cell: ({ prefix }) => <Code bg="transparent" p={0}>{`${prefix}…`}</Code> },
    { header: TOKEN_TEXTS.creator, cell: (token) => token.created_by?.name ?? TOKEN_TEXTS.unknownCreator },
    { header: TOKEN_TEXTS.expires, cell: (token) => <TimeOrNever value={token.expires_at} /> },
    { header: TOKEN_TEXTS.lastUsed, cell: (token) => <TimeOrNever value={token.last_used_at} /> },
    {
      header: TOKEN_TEXTS.revoke,
      isAction: true,
      cell: (token) =>
        token.state !== 'revoked' && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={TOKEN_TEXTS.revokeOf(token.name)}
            onClick={() => onRevoke(token)}
          >
            {TOKEN_TEXTS.revoke}
          </Button>
        ),
    },
  ];
}

import type { ManagedTypeBody } from '@galley/wire';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { typesQuery } from '../content/type-queries.ts';
import { CopyableId } from '../elements/copyable.tsx';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { useIsOwner } from '../session/use-user.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';
import { TypeKind } from './type-kind.tsx';

const route = getRouteApi('/signed-in/sites/$site/types');

export function TypesPage() {
  const { site } = route.useParams();
  const navigate = route.useNavigate();
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const isOwner = useIsOwner();
  useShortcuts(
    isOwner
      ? [
          {
            keys: 'N',
            label: TYPE_TEXTS.newTitle,
            run: () => navigate({ to: '/sites/$site/types/new-type', params: { site } }),
          },
        ]
      : [],
  );
  const create = isOwner && (
    <LinkButton to="/sites/$site/types/new-type" params={{ site }} leftSection={<IconPlus size={16} aria-hidden />}>
      {TYPE_TEXTS.newTitle}
    </LinkButton>
  );
  if (types.length === 0) {
    return (
      <Page title={TYPE_TEXTS.listTitle}>
        <EmptyState
          title={TYPE_TEXTS.emptyTitle}
          text={isOwner ? TYPE_TEXTS.emptyText : TYPE_TEXTS.emptyTextEditor}
          action={create}
        />
      </Page>
    );
  }
  return (
    <Page title={TYPE_TEXTS.listTitle} intro={isOwner ? TYPE_TEXTS.listText : TYPE_TEXTS.readOnly} actions={create}>
      <DataTable label={TYPE_TEXTS.listTitle} columns={listColumns(site)} rows={types} keyOf={({ id }) => id} />
    </Page>
  );
}

function listColumns(site: string): readonly Column<ManagedTypeBody>[] {
  return [
    {
      header: TYPE_TEXTS.name,
      isName: true,
      cell: ({ handle, name }) => (
        <TextLink to="/sites/$site/types/$type" params={{ site, type: handle }}>
          {name}
        </TextLink>
      ),
    },
    { header: TYPE_TEXTS.handle, cell: ({ handle }) => <CopyableId id={handle} what={TYPE_TEXTS.handleCode} /> },
    { header: TYPE_TEXTS.kind, cell: (type) => <TypeKind kind={type.object_type} /> },
    { header: TYPE_TEXTS.fields, cell: ({ fields }) => fields.length },
  ];
}

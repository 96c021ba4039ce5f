import type { ManagedAuthorBody } from '@galley/wire';
import { Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { CopyableId } from '../elements/copyable.tsx';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState, NothingFound } from '../elements/empty-state.tsx';
import { LinkButton, TextLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { ListEnd } from '../lists/list-end.tsx';
import { SearchInput } from '../lists/search-input.tsx';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { AuthorPicture } from './author-picture.tsx';
import { authorsQuery } from './author-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/authors');

export function AuthorsPage() {
  const { site } = route.useParams();
  const { search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  // The current list stays visible until the next one has loaded.
  const list = useSuspenseInfiniteQuery(authorsQuery(site, useDeferredValue(search)));
  useShortcuts([
    { keys: 'N', label: AUTHOR_TEXTS.toCreate, run: () => void navigate({ to: '/sites/$site/authors/new' }) },
  ]);
  const find = (text: string): void =>
    void navigate({ to: '.', search: { search: text === '' ? undefined : text }, replace: true });
  const create = (
    <LinkButton to="/sites/$site/authors/new" params={{ site }} leftSection={<IconPlus size={16} aria-hidden />}>
      {AUTHOR_TEXTS.newTitle}
    </LinkButton>
  );
  if (list.data.length === 0 && search === '') {
    return (
      <Page title={AUTHOR_TEXTS.listTitle}>
        <EmptyState title={AUTHOR_TEXTS.emptyTitle} text={AUTHOR_TEXTS.emptyText} action={create} />
      </Page>
    );
  }
  return (
    <Page title={AUTHOR_TEXTS.listTitle} intro={AUTHOR_TEXTS.listText} actions={create}>
      <Group>
        <SearchInput label={AUTHOR_TEXTS.search} value={search} onSearch={find} />
      </Group>
      {list.data.length === 0 ? (
        <NothingFound onClear={() => find('')} />
      ) : (
        <DataTable label={AUTHOR_TEXTS.listTitle} columns={listColumns(site)} rows={list.data} keyOf={({ id }) => id} />
      )}
      <ListEnd list={list} />
    </Page>
  );
}

function listColumns(site: string): readonly Column<ManagedAuthorBody>[] {
  return [
    {
      header: AUTHOR_TEXTS.name,
      isName: true,
      cell: ({ id, name, profile_photo_url: photo }) => (
        <Group gap="sm" wrap="nowrap">
          <AuthorPicture site={site} name={name} address={photo} />
          <TextLink to="/sites/$site/authors/$author" params={{ site, author: id }}>
            {name}
          </TextLink>
        </Group>
      ),
    },
    { header: AUTHOR_TEXTS.email, cell: ({ email }) => email ?? SHELL_TEXTS.none },
    { header: AUTHOR_TEXTS.id, cell: ({ id }) => <CopyableId id={id} what={AUTHOR_TEXTS.authorId} /> },
  ];
}

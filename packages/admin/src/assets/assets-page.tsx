import { Group, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { ListEnd } from '../lists/list-end.tsx';
import { NothingFound } from '../lists/nothing-found.tsx';
import { SearchInput } from '../lists/search-input.tsx';
import { siteQuery } from '../sites/site-queries.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { AssetGrid } from './asset-grid.tsx';
import { isAssetKind } from './asset-kind.ts';
import { assetsQuery } from './asset-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/assets');
const KINDS = Object.entries(ASSET_TEXTS.kinds).map(([value, label]) => ({ value, label }));

export function AssetsPage() {
  const { site } = route.useParams();
  const { search = '', kind = 'all' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: siteBody } = useSuspenseQuery(siteQuery(site));
  // The list that is there stays until the next one has come.
  const asked = { search: useDeferredValue(search), kind: useDeferredValue(kind) };
  const list = useSuspenseInfiniteQuery(assetsQuery(site, asked));
  useShortcuts([
    { keys: 'N', label: ASSET_TEXTS.toCreate, run: () => void navigate({ to: '/sites/$site/assets/new' }) },
  ]);
  const find = (text: string, chosen: string | null): void =>
    void navigate({
      to: '.',
      search: {
        search: text === '' ? undefined : text,
        kind: isAssetKind(chosen) && chosen !== 'all' ? chosen : undefined,
      },
      replace: true,
    });
  const create = (
    <LinkButton to="/sites/$site/assets/new" params={{ site }} leftSection={<IconPlus size={16} aria-hidden />}>
      {ASSET_TEXTS.newTitle}
    </LinkButton>
  );
  if (list.data.length === 0 && search === '' && kind === 'all') {
    return (
      <Page title={ASSET_TEXTS.listTitle}>
        <EmptyState title={ASSET_TEXTS.emptyTitle} text={ASSET_TEXTS.emptyText} action={create} />
      </Page>
    );
  }
  return (
    <Page title={ASSET_TEXTS.listTitle} intro={ASSET_TEXTS.listText} actions={create}>
      <Group gap="xs">
        <SearchInput label={ASSET_TEXTS.search} value={search} onSearch={(text) => find(text, kind)} />
        <Select
          w={160}
          aria-label={ASSET_TEXTS.kind}
          data={KINDS}
          value={kind}
          onChange={(chosen) => find(search, chosen)}
          allowDeselect={false}
        />
      </Group>
      {list.data.length === 0 ? (
        <NothingFound onClear={() => find('', 'all')} />
      ) : (
        <AssetGrid site={site} siteUrl={siteBody.url} assets={list.data} />
      )}
      <ListEnd list={list} />
    </Page>
  );
}

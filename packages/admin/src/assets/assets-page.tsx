import type { ManagedAssetBody } from '@galley/wire';
import { Group, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { EmptyState, NothingFound } from '../elements/empty-state.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { ListEnd } from '../lists/list-end.tsx';
import { SearchInput } from '../lists/search-input.tsx';
import { siteQuery } from '../sites/site-queries.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { AssetPicture, listAssetFacts } from './asset-picture.tsx';
import { assetsQuery, isAssetKind } from './asset-queries.ts';
import classes from './assets-page.module.css';
import { resolveAddress } from './resolve-address.ts';

const route = getRouteApi('/signed-in/sites/$site/assets');
const KINDS = Object.entries(ASSET_TEXTS.kinds).map(([value, label]) => ({ value, label }));

export function AssetsPage() {
  const { site } = route.useParams();
  const { search = '', kind = 'all' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: siteBody } = useSuspenseQuery(siteQuery(site));
  // The current list stays visible until the next one has loaded.
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

interface AssetGridProps {
  readonly site: string;
  readonly siteUrl: string | null;
  readonly assets: readonly ManagedAssetBody[];
}

function AssetGrid({ site, siteUrl, assets }: AssetGridProps) {
  return (
    <ul className={classes.grid} aria-label={ASSET_TEXTS.listTitle}>
      {assets.map((asset) => (
        <li key={asset.id} className={classes.cell}>
          <Link to="/sites/$site/assets/$asset" params={{ site, asset: asset.id }} className={classes.card}>
            <span className={classes.frame}>
              <AssetPicture
                src={asset.is_image ? resolveAddress(asset.url, siteUrl) : undefined}
                extension={asset.extension}
                alt=""
              />
            </span>
            <span className={classes.name}>{asset.name}</span>
            <span className={classes.facts}>{listAssetFacts(asset).join(' · ')}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

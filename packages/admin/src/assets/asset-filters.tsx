import { Group, SegmentedControl, Select } from '@mantine/core';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { SearchInput } from '../lists/search-input.tsx';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-filters.module.css';
import { tagsQuery } from './asset-queries.ts';
import { type AssetSearch, DEFAULT_SORT, DEFAULT_VIEW, parseAssetSearch } from './asset-search.ts';

const KINDS = Object.entries(ASSET_TEXTS.kinds).map(([value, label]) => ({ value, label }));
const SORTS = Object.entries(ASSET_TEXTS.sorts).map(([value, label]) => ({ value, label }));
const VIEW_ICONS = { grid: IconLayoutGrid, list: IconList } as const;

interface AssetFiltersProps {
  readonly site: string;
  readonly search: AssetSearch;
  readonly onChange: (members: AssetSearch) => void;
}

export function AssetFilters({ site, search, onChange }: AssetFiltersProps) {
  const { data: tags } = useSuspenseQuery(tagsQuery(site));
  const pick = (member: keyof AssetSearch, value: string | null): void =>
    onChange(parseAssetSearch({ ...search, [member]: value }));
  return (
    <Group gap="xs" className={classes.filters}>
      <SearchInput label={ASSET_TEXTS.search} value={search.search ?? ''} onSearch={(text) => pick('search', text)} />
      <Select
        w={136}
        aria-label={ASSET_TEXTS.kind}
        data={KINDS}
        value={search.kind ?? 'all'}
        onChange={(kind) => pick('kind', kind)}
        allowDeselect={false}
      />
      {(tags.length > 0 || search.tag !== undefined) && (
        <Select
          w={136}
          aria-label={ASSET_TEXTS.tag}
          placeholder={ASSET_TEXTS.anyTag}
          data={tags.map(({ tag }) => tag)}
          value={search.tag ?? null}
          onChange={(tag) => pick('tag', tag)}
          searchable
          clearable
        />
      )}
      <Select
        w={150}
        aria-label={ASSET_TEXTS.sort}
        data={SORTS}
        value={search.sort ?? DEFAULT_SORT}
        onChange={(sort) => pick('sort', sort)}
        allowDeselect={false}
      />
      <SegmentedControl
        className={classes.view}
        aria-label={ASSET_TEXTS.view}
        value={search.view ?? DEFAULT_VIEW}
        onChange={(view) => pick('view', view)}
        data={(['grid', 'list'] as const).map((view) => {
          const Icon = VIEW_ICONS[view];
          return { value: view, label: <Icon size={16} aria-label={ASSET_TEXTS.views[view]} /> };
        })}
      />
    </Group>
  );
}

// A site's content list, with its filters, its selection, and the dialogs for bulk actions.

import type { ContentSummaryBody } from '@galley/wire';
import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { NewContent, NoTypes } from '../content/new-content.tsx';
import { contentTypesQuery } from '../content/type-queries.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { Page } from '../elements/page.tsx';
import { describeError } from '../forms/describe-error.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { SelectionBar } from '../lists/selection-bar.tsx';
import { useSelection } from '../lists/use-selection.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { BULK_TEXTS } from '../texts/bulk-texts.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { ContentFilters } from './content-filters.tsx';
import classes from './content-list.module.css';
import { ContentList, type ContentListHandle } from './content-list.tsx';
import { contentListQuery } from './content-list-query.ts';
import { type ContentSearch, countFilters, DEFAULT_SORT } from './content-search.ts';
import { type BulkAction, listBulkActions } from './use-bulk-work.ts';

const route = getRouteApi('/signed-in/sites/$site/content');

export function ContentPage() {
  const { site: siteId } = route.useParams();
  const { data: types } = useSuspenseQuery(contentTypesQuery(siteId));
  if (types.length === 0) {
    return (
      <Page title={CONTENT_TEXTS.title}>
        <NoTypes site={siteId} title={CONTENT_TEXTS.noTypesTitle} />
      </Page>
    );
  }
  // The key resets the list's state when the site changes.
  return <SiteContent key={siteId} siteId={siteId} />;
}

function SiteContent({ siteId }: { readonly siteId: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const { data: types } = useSuspenseQuery(contentTypesQuery(siteId));
  const list = useInfiniteQuery(contentListQuery(siteId, search));
  const rows = list.data ?? NO_ROWS;
  const typeNames = useMemo(() => new Map(types.map(({ handle, name }) => [handle, name])), [types]);
  const selection = useSelection(rows);
  const [isCreating, { open: create, close: closeNew }] = useDisclosure(false);
  const [action, setAction] = useState<BulkAction>();
  const searchRef = useRef<HTMLInputElement>(null);
  const listRef = useRef<ContentListHandle>(null);

  const { clear } = selection;
  const change = useCallback(
    (members: ContentSearch): void => {
      clear();
      void navigate({ search: (before) => ({ ...before, ...members }), replace: true });
    },
    [clear, navigate],
  );
  const enterList = useCallback(() => listRef.current?.enter(), []);
  const { fetchNextPage } = list;
  const readMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  useShortcuts([
    { keys: '/', label: CONTENT_TEXTS.shortcutSearch, run: () => searchRef.current?.focus() },
    { keys: 'N', label: CONTENT_TEXTS.create, run: create },
  ]);
  const hasQuestion = search.search !== undefined || countFilters(search) > 0;

  return (
    <Page
      title={CONTENT_TEXTS.title}
      tabTitle={`${CONTENT_TEXTS.title} · ${site.name}`}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
          {CONTENT_TEXTS.create}
        </Button>
      }
    >
      <ContentFilters
        site={site}
        types={types}
        search={search}
        onChange={change}
        searchRef={searchRef}
        onLeaveDown={enterList}
      />
      {list.isPending && <WaitingRows />}
      {list.isError && rows.length === 0 && (
        <EmptyState
          title={SHELL_TEXTS.failedTitle}
          text={describeError(list.error)}
          action={<Button onClick={() => void list.refetch()}>{SHELL_TEXTS.tryAgain}</Button>}
        />
      )}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          title={hasQuestion ? CONTENT_TEXTS.nothingTitle : CONTENT_TEXTS.emptyTitle}
          text={hasQuestion ? CONTENT_TEXTS.nothingText : CONTENT_TEXTS.emptyText}
          action={
            hasQuestion ? (
              <Button variant="default" onClick={() => change(NO_FILTERS)}>
                {CONTENT_TEXTS.clearFilters}
              </Button>
            ) : (
              <Button onClick={create}>{CONTENT_TEXTS.create}</Button>
            )
          }
        />
      )}
      {rows.length > 0 && (
        <ContentList
          key={JSON.stringify(search)}
          ref={listRef}
          site={siteId}
          rows={rows}
          typeNames={typeNames}
          selection={selection}
          sort={search.sort ?? DEFAULT_SORT}
          onSort={(sort) => change({ sort: sort === DEFAULT_SORT ? undefined : sort })}
          onMore={readMore}
          more={findMore(list)}
          isStale={list.isPlaceholderData}
        />
      )}
      <SelectionBar count={selection.chosen.size} onClear={selection.clear}>
        {listBulkActions(search.status).map((each, index) => (
          <Button
            key={each}
            size="compact-sm"
            variant={index === 0 ? 'filled' : 'default'}
            onClick={() => setAction(each)}
          >
            {BULK_TEXTS.actions[each]}
          </Button>
        ))}
      </SelectionBar>
      <NewContent isOpen={isCreating} onClose={closeNew} site={site} types={types} type={search.content_type} />
      <BulkDialog
        site={siteId}
        action={action}
        chosen={selection.chosen}
        onClose={() => setAction(undefined)}
        onDone={selection.clear}
      />
    </Page>
  );
}

const NO_ROWS: readonly ContentSummaryBody[] = [];

const NO_FILTERS = {
  search: undefined,
  content_type: undefined,
  status: undefined,
  author: undefined,
  language: undefined,
} as const;

interface ListProgress {
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly hasNextPage: boolean;
  readonly isPlaceholderData: boolean;
}

function findMore(list: ListProgress): 'loading' | 'there' | 'failed' | 'none' {
  if (list.isFetchingNextPage || list.isPlaceholderData) return 'loading';
  if (list.isFetchNextPageError) return 'failed';
  return list.hasNextPage ? 'there' : 'none';
}

const WAITING_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

function WaitingRows() {
  return (
    <div className={`${classes.list} ${classes.waiting}`} role="status" aria-label={SHELL_TEXTS.loading}>
      {WAITING_ROWS.map((row) => (
        <Skeleton key={row} height={18} radius="sm" />
      ))}
    </div>
  );
}

// The content table. It may have any number of rows, but only those in view are rendered. More rows are loaded before the end
// comes into view.

import type { ContentSummaryBody } from '@galley/wire';
import { Button, Loader, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { announceShortcuts, useShortcuts } from '../keyboard/use-shortcuts.ts';
import type { Selection } from '../lists/use-selection.ts';
import { useLanguageNames } from '../sites/use-language-names.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './content-list.module.css';
import { ContentRow, recallRow } from './content-row.tsx';
import type { ListSort } from './content-search.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useRowWindow } from './use-row-window.ts';

const NARROW = '(max-width: 62em)';
const ROW_REMS = { wide: 2.625, narrow: 4 } as const;
/** More rows are loaded when fewer than this many are left below. */
const AHEAD = 60;

const LIST_KEYS = [
  ['J', CONTENT_TEXTS.shortcutNext],
  ['K', CONTENT_TEXTS.shortcutPrevious],
  ['X', CONTENT_TEXTS.shortcutSelect],
  ['Enter', CONTENT_TEXTS.shortcutOpen],
] as const;

export interface ContentListHandle {
  /** Moves the focus into the list. */
  readonly enter: () => void;
}

interface ContentListProps {
  readonly ref: Ref<ContentListHandle>;
  readonly site: string;
  readonly rows: readonly ContentSummaryBody[];
  readonly typeNames: ReadonlyMap<string, string>;
  readonly selection: Selection<ContentSummaryBody>;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly onMore: () => void;
  readonly more: 'loading' | 'there' | 'failed' | 'none';
  readonly isStale: boolean;
}

export function ContentList(props: ContentListProps) {
  const { ref, site, rows, typeNames, selection, sort, onSort, onMore, more, isStale } = props;
  const nameLanguage = useLanguageNames(site);
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false;
  const rowHeight = useRem() * (isNarrow ? ROW_REMS.narrow : ROW_REMS.wide);
  const [active, setActive] = useState(() => Math.max(0, recallRow(site, rows)));
  const { rows: shown, scrollMargin } = useRowWindow({ bodyRef, count: rows.length, rowHeight, active });
  const { toggle, toggleRange } = selection;
  const onToggle = useCallback(
    (index: number, isRange: boolean) => (isRange ? toggleRange(index) : toggle(index)),
    [toggle, toggleRange],
  );
  const { move, onKeyDown } = useRowKeys({ bodyRef, count: rows.length, active, setActive, rows: shown, onToggle });
  useImperativeHandle(ref, () => ({ enter: () => move(0) }));
  // Elsewhere on the page, J moves the focus into the list. Inside the list, `useRowKeys` handles the keys.
  const enter = (): void => {
    if (bodyRef.current?.contains(document.activeElement) !== true) move(0);
  };
  useShortcuts([{ keys: 'J', run: enter }]);
  useEffect(() => announceShortcuts(LIST_KEYS), []);

  const items = shown.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more === 'there' && last >= rows.length - AHEAD) onMore();
  }, [more, last, rows.length, onMore]);

  return (
    <div className={classes.list} data-stale={isStale || undefined}>
      <table
        className={classes.grid}
        role="grid"
        aria-label={CONTENT_TEXTS.title}
        aria-multiselectable
        aria-rowcount={more === 'none' ? rows.length + 1 : -1}
        aria-busy={isStale || more === 'loading'}
        onKeyDown={onKeyDown}
      >
        <ContentListHead rows={rows} selection={selection} sort={sort} onSort={onSort} />
        <tbody ref={bodyRef} className={classes.body} role="rowgroup" style={{ height: shown.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <ContentRow
                  key={row.id}
                  site={site}
                  row={row}
                  languageName={nameLanguage(row.language)}
                  typeName={typeNames.get(row.content_type) ?? row.content_type}
                  index={index}
                  top={start - scrollMargin}
                  height={rowHeight}
                  isNarrow={isNarrow}
                  isActive={index === active}
                  isSelected={selection.has(row.id)}
                  onToggle={onToggle}
                  onFocus={setActive}
                />
              )
            );
          })}
        </tbody>
      </table>
      <ListFoot count={rows.length} more={more} onMore={onMore} />
    </div>
  );
}

interface ContentListHeadProps {
  readonly rows: readonly ContentSummaryBody[];
  readonly selection: Selection<ContentSummaryBody>;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
}

function ContentListHead({ rows, selection, sort, onSort }: ContentListHeadProps) {
  const isAll = rows.length > 0 && selection.chosen.size === rows.length;
  return (
    <thead role="rowgroup" className={classes.headGroup}>
      <tr className={classes.head} role="row" tabIndex={-1} aria-rowindex={1}>
        <th className={classes.check} scope="col" role="columnheader">
          <input
            className={classes.box}
            type="checkbox"
            ref={(box) => {
              if (box !== null) box.indeterminate = !isAll && selection.chosen.size > 0;
            }}
            aria-label={CONTENT_TEXTS.selectAll}
            checked={isAll}
            onChange={() => (isAll ? selection.clear() : selection.chooseAll())}
          />
        </th>
        <SortedColumn
          label={CONTENT_TEXTS.name}
          up="name:asc"
          down="name:desc"
          first="up"
          sort={sort}
          onSort={onSort}
        />
        <th scope="col" role="columnheader">
          {CONTENT_TEXTS.type}
        </th>
        <th scope="col" role="columnheader">
          {CONTENT_TEXTS.language}
        </th>
        <th scope="col" role="columnheader">
          {CONTENT_TEXTS.status}
        </th>
        <th scope="col" role="columnheader">
          {CONTENT_TEXTS.author}
        </th>
        <SortedColumn
          label={CONTENT_TEXTS.changed}
          up="updated_at:asc"
          down="updated_at:desc"
          first="down"
          sort={sort}
          onSort={onSort}
        />
      </tr>
    </thead>
  );
}

interface SortedColumnProps extends Pick<ContentListHeadProps, 'sort' | 'onSort'> {
  readonly label: string;
  readonly up: ListSort;
  readonly down: ListSort;
  /** The sort direction after the first click. */
  readonly first: 'up' | 'down';
}

function SortedColumn({ label, up, down, first, sort, onSort }: SortedColumnProps) {
  const isUp = sort === up;
  const isDown = sort === down;
  const start = first === 'up' ? up : down;
  const other = first === 'up' ? down : up;
  return (
    <th scope="col" role="columnheader" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <UnstyledButton
        className={classes.sort}
        data-sorted={isUp || isDown || undefined}
        onClick={() => onSort(sort === start ? other : start)}
      >
        {label}
        {isUp && <IconArrowUp size={13} aria-hidden />}
        {isDown && <IconArrowDown size={13} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

function ListFoot({ count, more, onMore }: { readonly count: number } & Pick<ContentListProps, 'more' | 'onMore'>) {
  return (
    <div className={classes.foot}>
      {more === 'none' && CONTENT_TEXTS.end(count)}
      {more === 'there' && CONTENT_TEXTS.loaded(count)}
      {more === 'loading' && <Loader size="xs" aria-label={CONTENT_TEXTS.loadingMore} />}
      {more === 'failed' && (
        <>
          {CONTENT_TEXTS.failedMore}{' '}
          <Button size="compact-sm" variant="default" onClick={onMore}>
            {SHELL_TEXTS.tryAgain}
          </Button>
        </>
      )}
    </div>
  );
}

/** The size of 1rem in pixels. Row height depends on the user's text size. */
function useRem(): number {
  const [size] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  return size;
}

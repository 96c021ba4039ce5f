// The list itself: as long as the site has content, with only the rows in the page that are in sight. More is asked for
// before the end comes into sight.

import type { ContentSummaryBody } from '@galley/wire';
import { Button, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { announceShortcuts } from '../keyboard/shortcut-list.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { useLanguageNames } from '../languages/use-language-names.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './content-list.module.css';
import { ContentListHead } from './content-list-head.tsx';
import { ContentRow } from './content-row.tsx';
import type { ListSort } from './content-search.ts';
import { recallRow } from './recalled-row.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useRowWindow } from './use-row-window.ts';
import type { Selection } from './use-selection.ts';

const NARROW = '(max-width: 62em)';
const ROW_REMS = { wide: 2.625, narrow: 4 } as const;
/** So many rows before the end more is asked for. */
const AHEAD = 60;

const LIST_KEYS = [
  ['J', CONTENT_TEXTS.shortcutNext],
  ['K', CONTENT_TEXTS.shortcutPrevious],
  ['X', CONTENT_TEXTS.shortcutSelect],
  ['Enter', CONTENT_TEXTS.shortcutOpen],
] as const;

export interface ContentListHandle {
  /** Puts the focus into the list. */
  readonly enter: () => void;
}

interface ContentListProps {
  readonly ref: Ref<ContentListHandle>;
  readonly site: string;
  readonly rows: readonly ContentSummaryBody[];
  readonly typeNames: ReadonlyMap<string, string>;
  readonly selection: Selection;
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
  // From elsewhere on the page it leads into the list; what keys do in there is the list's own.
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

/** Rows grow with the size of text that the reader has set. */
function useRem(): number {
  const [size] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  return size;
}

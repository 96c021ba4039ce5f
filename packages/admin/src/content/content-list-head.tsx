import type { ContentSummaryBody } from '@galley/wire';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import classes from './content-list.module.css';
import type { ListSort } from './content-search.ts';
import type { Selection } from './use-selection.ts';

interface ContentListHeadProps {
  readonly rows: readonly ContentSummaryBody[];
  readonly selection: Selection;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
}

export function ContentListHead({ rows, selection, sort, onSort }: ContentListHeadProps) {
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
  /** The direction that one wants first. */
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

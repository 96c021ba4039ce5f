// One row of the content list. Also remembers which row was opened last, so keyboard users can continue from there.

import type { ContentSummaryBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { StateLabel } from '../content/state-label.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import classes from './content-list.module.css';

interface ContentRowProps {
  readonly site: string;
  readonly row: ContentSummaryBody;
  readonly languageName: string;
  readonly typeName: string;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  /** Whether the row has two lines instead of columns. */
  readonly isNarrow: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (index: number, isRange: boolean) => void;
  readonly onFocus: (index: number) => void;
}

/** Only the active row can be reached with the Tab key. */
export const ContentRow = memo(function ContentRow(props: ContentRowProps) {
  const { site, row, languageName, typeName, index, top, height, isNarrow, isActive, isSelected, onToggle, onFocus } =
    props;
  const tabIndex = isActive ? 0 : -1;
  return (
    <tr
      className={classes.row}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-active={isActive || undefined}
      style={{ height, transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(index)}
    >
      <td className={classes.check} role="gridcell">
        <input
          className={classes.box}
          type="checkbox"
          aria-label={CONTENT_TEXTS.select(row.name)}
          checked={isSelected}
          tabIndex={tabIndex}
          onChange={() => {}}
          onClick={(event) => onToggle(index, event.shiftKey)}
        />
      </td>
      <td className={classes.name} role="gridcell">
        <Link
          className={classes.link}
          to="/sites/$site/content/$id"
          params={{ site, id: row.id }}
          tabIndex={tabIndex}
          data-row-link
          onClick={() => keepOpenedRow(site, row.id)}
        >
          {row.name}
        </Link>
      </td>
      <td className={classes.type} role="gridcell">
        {typeName}
      </td>
      <td className={classes.language} role="gridcell">
        {languageName}
      </td>
      <td className={classes.state} role="gridcell">
        <StateLabel
          state={row.state}
          publish_at={row.publish_at}
          unpublish_at={row.unpublish_at}
          failed_schedule={row.failed_schedule}
        />
      </td>
      <td className={classes.author} role="gridcell" data-none={row.author_name === null || undefined}>
        {row.author_name ?? CONTENT_TEXTS.noAuthor}
      </td>
      <td className={classes.time} role="gridcell">
        <TimeText value={row.updated_at} withTime={!isNarrow} />
      </td>
    </tr>
  );
});

/** The ID of the content that was opened last, by site. */
const opened = new Map<string, string>();

function keepOpenedRow(site: string, id: string): void {
  opened.set(site, id);
}

/** The index of the row that was opened last; -1 if it is not in the list. */
export function recallRow(site: string, rows: readonly ContentSummaryBody[]): number {
  const id = opened.get(site);
  return id === undefined ? -1 : rows.findIndex((row) => row.id === id);
}

// An entry of the history: a version, or the saves of a sitting as one, which can be unfolded. What is looked at within a
// sitting is not hidden unless somebody folds it.

import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { TimeRangeText } from '../elements/time-text.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import type { Sitting } from './fold-versions.ts';
import { VersionLink } from './version-link.tsx';
import classes from './version-list.module.css';

interface SittingEntryProps {
  readonly site: string;
  /** The id of the content. */
  readonly content: string;
  readonly sitting: Sitting;
  /** Whether older saves may belong to it that were not read yet. */
  readonly hasMore: boolean;
  /** The number of the version that is looked at. */
  readonly chosen: number;
  /** Whether it is looked at by itself, and not the whole sitting. */
  readonly isAlone: boolean;
}

export function SittingEntry({ site, content, sitting, hasMore, chosen, isAlone }: SittingEntryProps) {
  const [newest, ...older] = sitting;
  const oldest = older.at(-1);
  const isNewest = newest.number === chosen;
  if (oldest === undefined) {
    return (
      <li>
        <VersionLink site={site} content={content} version={newest} isChosen={isNewest} />
      </li>
    );
  }
  const isInside = isNewest ? isAlone : older.some(({ number }) => number === chosen);
  return (
    <li>
      <VersionLink
        site={site}
        content={content}
        version={newest}
        isChosen={isNewest && !isAlone}
        time={<TimeRangeText from={oldest.saved_at} to={newest.saved_at} />}
      />
      <Saves site={site} content={content} sitting={sitting} hasMore={hasMore} chosen={isInside ? chosen : undefined} />
    </li>
  );
}

interface SavesProps extends Pick<SittingEntryProps, 'site' | 'content' | 'sitting' | 'hasMore'> {
  /** The number of the save that is looked at, where it is one of these. */
  readonly chosen: number | undefined;
}

function Saves({ site, content, sitting, hasMore, chosen }: SavesProps) {
  const id = useId();
  const [wanted, setWanted] = useState<boolean>();
  const isOpen = wanted ?? chosen !== undefined;
  const saves = HISTORY_TEXTS.saves(sitting.length, hasMore);
  return (
    <>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={HISTORY_TEXTS.savesUpTo(saves, sitting[0].number)}
        onClick={() => setWanted(!isOpen)}
      >
        <IconChevronRight size={14} aria-hidden />
        {saves}
      </UnstyledButton>
      <ol id={id} className={classes.saves} reversed hidden={!isOpen}>
        {isOpen &&
          sitting.map((version) => (
            <li key={version.number}>
              <VersionLink
                site={site}
                content={content}
                version={version}
                isChosen={version.number === chosen}
                isSave
              />
            </li>
          ))}
      </ol>
    </>
  );
}

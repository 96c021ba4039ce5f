import type { ManagedTypeBody } from '@galley/wire';
import { IconAlertTriangle, IconCheck, IconCloudOff, IconCloudUp, IconPencil } from '@tabler/icons-react';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import type { SaveStatus, ShownDraft } from './draft/draft-state.ts';
import { namePart } from './name-part.ts';
import classes from './status-bar.module.css';

const ICONS: Readonly<Record<SaveStatus, typeof IconCheck>> = {
  saved: IconCheck,
  changed: IconPencil,
  saving: IconCloudUp,
  offline: IconCloudOff,
  failing: IconCloudOff,
  refused: IconAlertTriangle,
  contested: IconAlertTriangle,
};

interface SaveStateProps {
  readonly state: ShownDraft;
  readonly type: ManagedTypeBody | undefined;
}

/** Whether what was written is saved; said aloud when it changes. */
export function SaveState({ state, type }: SaveStateProps) {
  const { status, isKept } = state;
  const Icon = ICONS[status];
  const isLost = status !== 'saved' && !isKept;
  const text = describeState(state, type);
  return (
    <output className={classes.save} data-status={status}>
      <Icon size={15} aria-hidden />
      {isLost ? EDITOR_TEXTS.notKept : text}
    </output>
  );
}

function describeState({ status, unsaved, contest }: ShownDraft, type: ManagedTypeBody | undefined): string {
  const nameAll = (paths: readonly string[]): readonly string[] => paths.map((path) => namePart(path, type));
  if (contest !== undefined) {
    const who = contest.theirs.saved_by?.name ?? EDITOR_TEXTS.anImport;
    return EDITOR_TEXTS.contested(who, nameAll(contest.parts.map(({ path }) => path)));
  }
  if (status === 'refused' && unsaved.length > 0) return EDITOR_TEXTS.savedExcept(nameAll(unsaved));
  return EDITOR_TEXTS.saveStates[status];
}

import { IconAlertTriangle, IconCheck, IconCloudOff, IconCloudUp, IconPencil } from '@tabler/icons-react';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import type { DraftState, SaveStatus } from './draft/draft-state.ts';
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

/** Whether what was written is saved; said aloud when it changes. */
export function SaveState({ state: { status, isKept } }: { readonly state: DraftState }) {
  const Icon = ICONS[status];
  const isLost = status !== 'saved' && !isKept;
  return (
    <output className={classes.save} data-status={status}>
      <Icon size={15} aria-hidden />
      {isLost ? EDITOR_TEXTS.notKept : EDITOR_TEXTS.saveStates[status]}
    </output>
  );
}

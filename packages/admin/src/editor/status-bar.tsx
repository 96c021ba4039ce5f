// Shows the content's state, whether the text is saved, and the available actions.

import type { ManagedTypeBody } from '@galley/wire';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconArchive,
  IconArrowBackUp,
  IconCheck,
  IconCloudOff,
  IconCloudUp,
  IconCopyPlus,
  IconDots,
  IconEyeOff,
  IconPencil,
} from '@tabler/icons-react';
import { useState } from 'react';
import { namePart } from '../content/say-fault.ts';
import { StateLabel } from '../content/state-label.tsx';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { formatMoment, TimeText } from '../elements/time-text.tsx';
import { useBottomBar } from '../elements/use-bottom-bar.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { useIsOwner } from '../session/use-user.ts';
import { EDITOR_TEXTS } from '../texts/editor-texts.ts';
import { archiveContent, unpublishContent } from './content-calls.ts';
import { showContest } from './contest-panel.tsx';
import type { SaveStatus, ShownDraft } from './draft/draft-state.ts';
import { listNotShown } from './draft/save-text.ts';
import { listRemoved } from './draft-news.tsx';
import { ScheduleMenu } from './schedule-menu.tsx';
import classes from './status-bar.module.css';
import { saveFirst, useDraft, useDraftState } from './use-draft.ts';
import { useEditorActions } from './use-editor-actions.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

const ICONS: Readonly<Record<SaveStatus, typeof IconCheck>> = {
  saved: IconCheck,
  changed: IconPencil,
  saving: IconCloudUp,
  offline: IconCloudOff,
  failing: IconCloudOff,
  refused: IconAlertTriangle,
  contested: IconAlertTriangle,
};
const WITHDRAWALS = { unpublish: unpublishContent, archive: archiveContent } as const;

interface StatusBarProps {
  readonly site: string;
  readonly type: ManagedTypeBody | undefined;
}

export function StatusBar({ site, type }: StatusBarProps) {
  const draft = useDraft();
  const content = useDraftState((state) => state.content);
  const status = useDraftState((state) => state.status);
  const contest = useDraftState((state) => state.contest);
  const { id } = content;
  const { save, publish, isPublishing, discard, remove, duplicate, restore, keep } = useEditorActions(site, id, draft);
  const [withdrawal, setWithdrawal] = useState<keyof typeof WITHDRAWALS>();
  const [isRemoving, { open: askRemove, close: closeRemove }] = useDisclosure(false);
  const isOwner = useIsOwner();
  const [isDiscarding, { open: askDiscard, close: closeDiscard }] = useDisclosure(false);
  const isArchived = content.state === 'archived';
  const isPublished = content.state === 'published' || content.state === 'changed';
  const isUnsavable = status === 'refused' || status === 'contested';
  const isCurrent = content.state === 'published' && status === 'saved';
  const sayCurrent = (): void => showToast({ text: EDITOR_TEXTS.isCurrent });
  useShortcuts(
    isArchived
      ? []
      : [
          { keys: 'mod+S', label: EDITOR_TEXTS.save, run: () => void save(), isForFields: true },
          { keys: 'mod+Enter', label: EDITOR_TEXTS.publish, run: isCurrent ? sayCurrent : publish, isForFields: true },
        ],
  );
  return (
    <section
      ref={useBottomBar()}
      className={classes.bar}
      aria-label={EDITOR_TEXTS.statusBar}
      data-contested={contest === undefined ? undefined : true}
    >
      <div className={classes.state}>
        <span className={classes.standing}>
          <StateLabel state={content.state} />
        </span>
        <SaveState type={type} />
        {content.publish_at !== null && (
          <span>
            {EDITOR_TEXTS.publishes} <TimeText value={content.publish_at} withTime />
          </span>
        )}
        {content.unpublish_at !== null && (
          <span>
            {EDITOR_TEXTS.unpublishes} <TimeText value={content.unpublish_at} withTime />
          </span>
        )}
      </div>
      {isArchived ? (
        <>
          {isOwner && (
            <Button variant="light" color="red" onClick={askRemove}>
              {EDITOR_TEXTS.removeContent}
            </Button>
          )}
          <Button variant="default" onClick={restore}>
            {EDITOR_TEXTS.restore}
          </Button>
        </>
      ) : (
        <>
          <ScheduleMenu site={site} content={content} />
          {/* The bar does not scroll with the page, so its menu must not either. */}
          <Menu position="top-end" floatingStrategy="fixed">
            <Menu.Target>
              <ActionIcon size="lg" aria-label={EDITOR_TEXTS.moreActions}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconCopyPlus size={15} aria-hidden />} onClick={duplicate}>
                {EDITOR_TEXTS.duplicate}
              </Menu.Item>
              {content.state === 'changed' && (
                <Menu.Item leftSection={<IconArrowBackUp size={15} aria-hidden />} onClick={askDiscard}>
                  {EDITOR_TEXTS.discard}
                </Menu.Item>
              )}
              {isPublished && (
                <Menu.Item
                  leftSection={<IconEyeOff size={15} aria-hidden />}
                  onClick={() => setWithdrawal('unpublish')}
                >
                  {EDITOR_TEXTS.unpublish}
                </Menu.Item>
              )}
              <Menu.Item
                color="red"
                leftSection={<IconArchive size={15} aria-hidden />}
                onClick={() => setWithdrawal('archive')}
              >
                {EDITOR_TEXTS.archive}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {contest === undefined ? (
            <Tooltip label={EDITOR_TEXTS.publishHint} disabled={isCurrent}>
              <Button onClick={publish} loading={isPublishing} disabled={isCurrent}>
                {isCurrent
                  ? EDITOR_TEXTS.nothingToPublish
                  : isPublished
                    ? EDITOR_TEXTS.publishChanges
                    : EDITOR_TEXTS.publish}
              </Button>
            </Tooltip>
          ) : (
            <Button onClick={showContest}>{EDITOR_TEXTS.showContest}</Button>
          )}
        </>
      )}
      {withdrawal !== undefined && (
        <WithdrawDialog
          title={EDITOR_TEXTS.withdrawals[withdrawal].title}
          text={EDITOR_TEXTS.withdrawals[withdrawal].text(content.name)}
          confirmLabel={EDITOR_TEXTS[withdrawal]}
          anyway={EDITOR_TEXTS.withdrawals[withdrawal].anyway}
          withdraw={async (confirm) => {
            // Archived content cannot be saved, so the text is saved before archiving. Unpublishing must not wait for a save.
            if (withdrawal === 'archive') await saveFirst(draft);
            return WITHDRAWALS[withdrawal](site, id, confirm);
          }}
          onDone={keep}
          onClose={() => setWithdrawal(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={isRemoving}
        title={EDITOR_TEXTS.removeTitle(content.name)}
        text={EDITOR_TEXTS.removeText}
        confirmLabel={EDITOR_TEXTS.removeContent}
        typed={content.name}
        onConfirm={remove}
        onClose={closeRemove}
      />
      <ConfirmDialog
        isOpen={isDiscarding}
        title={EDITOR_TEXTS.discardTitle}
        text={[
          EDITOR_TEXTS.discardText,
          ...(isUnsavable ? [EDITOR_TEXTS.discardUnsaved] : []),
          ...(content.publish_at === null ? [] : [EDITOR_TEXTS.discardSchedule(formatMoment(content.publish_at))]),
        ].join(' ')}
        confirmLabel={EDITOR_TEXTS.discard}
        onConfirm={discard}
        onClose={closeDiscard}
      />
    </section>
  );
}

/** Shows whether the text is saved. Screen readers announce changes. */
function SaveState({ type }: { readonly type: ManagedTypeBody | undefined }) {
  const state = useDraftState((whole) => whole);
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

function describeState(state: ShownDraft, type: ManagedTypeBody | undefined): string {
  const { status, unsaved, contest } = state;
  const nameAll = (paths: readonly string[]): readonly string[] => paths.map((path) => namePart(path, type));
  if (contest !== undefined) {
    const who = contest.theirs.saved_by?.name ?? EDITOR_TEXTS.anImport;
    return EDITOR_TEXTS.contested(who, nameAll(contest.parts.map(({ path }) => path)));
  }
  const notShown = listNotShown(state);
  const removed = listRemoved(notShown).length > 0 ? [EDITOR_TEXTS.removedHtml] : [];
  if (status === 'refused' && unsaved.length > 0) return EDITOR_TEXTS.savedExcept([...nameAll(unsaved), ...removed]);
  if (status === 'saved' && removed.length > 0) return EDITOR_TEXTS.savedExcept(removed);
  if (status === 'saved' && notShown.length > 0) return EDITOR_TEXTS.savedCorrected;
  return EDITOR_TEXTS.saveStates[status];
}

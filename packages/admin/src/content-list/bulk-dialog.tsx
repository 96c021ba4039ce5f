// The dialog for a bulk action: asks for confirmation, shows the progress, and lists the failures with their reasons.

import type { ContentSummaryBody, ManagedTypeBody, WarningBody } from '@galley/wire';
import { Button, Checkbox, Group, Modal, Progress, Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { readLinkedPages, readTakenUrl } from '../content/refusals.ts';
import { describeFault } from '../content/say-fault.ts';
import { typesQuery } from '../content/type-queries.ts';
import { TextLink } from '../elements/link-button.tsx';
import { describeError } from '../forms/describe-error.ts';
import { BULK_TEXTS } from '../texts/bulk-texts.ts';
import { nameLanguage } from '../texts/language-name.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './bulk-dialog.module.css';
import {
  type BulkAction,
  type BulkWork,
  type Failure,
  isMeant,
  isWithdrawal,
  losesSchedule,
  useBulkWork,
} from './use-bulk-work.ts';

interface BulkDialogProps {
  readonly site: string;
  /** If undefined, the dialog is closed. */
  readonly action: BulkAction | undefined;
  readonly chosen: ReadonlyMap<string, ContentSummaryBody>;
  readonly onClose: () => void;
  /** Called when the action has finished. */
  readonly onDone: () => void;
}

export function BulkDialog({ action, ...props }: BulkDialogProps) {
  if (action === undefined) return null;
  return <OpenDialog action={action} {...props} />;
}

function OpenDialog(props: BulkDialogProps & { readonly action: BulkAction }) {
  const { site, action, chosen, onClose, onDone } = props;
  const work = useBulkWork(site, action);
  const [isConfirmed, setConfirmed] = useState(false);
  // The rows that were selected when the dialog opened. The list changes while the action runs.
  const [rows] = useState(() => [...chosen.values()]);
  const meant = rows.filter((row) => isMeant(action, row));
  const close = (): void => {
    if (work.phase === 'running') {
      work.stop();
      return;
    }
    if (work.phase === 'finished') onDone();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={BULK_TEXTS.titles[action]}
      closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}
      closeOnClickOutside={work.phase !== 'running'}
    >
      <Stack gap="md">
        {work.phase === 'asking' && (
          <Question
            action={action}
            meant={meant.length}
            leftOut={rows.length - meant.length}
            scheduled={meant.filter((row) => losesSchedule(action, row)).length}
            isConfirmed={isConfirmed}
            onConfirm={setConfirmed}
            onStart={() => void work.start(meant, isConfirmed)}
            onClose={close}
          />
        )}
        {work.phase === 'running' && <Running work={work} />}
        {work.phase === 'finished' && (
          <Finished
            site={site}
            work={work}
            action={action}
            isConfirmed={isConfirmed}
            onConfirm={setConfirmed}
            onAgain={() => void work.startAgain(isConfirmed)}
            onClose={close}
          />
        )}
      </Stack>
    </Modal>
  );
}

interface IncludeLinkedProps {
  readonly isConfirmed: boolean;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

function IncludeLinked({ isConfirmed, onConfirm }: IncludeLinkedProps) {
  return (
    <Checkbox
      label={BULK_TEXTS.includeLinked}
      description={BULK_TEXTS.includeLinkedHelp}
      checked={isConfirmed}
      onChange={(event) => onConfirm(event.currentTarget.checked)}
    />
  );
}

interface QuestionProps extends IncludeLinkedProps {
  readonly action: BulkAction;
  readonly meant: number;
  readonly leftOut: number;
  /** The number of items that will lose their schedule. */
  readonly scheduled: number;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

function Question(props: QuestionProps) {
  const { action, meant, leftOut, scheduled, isConfirmed, onConfirm, onStart, onClose } = props;
  return (
    <>
      <Text>{meant === 0 ? BULK_TEXTS.nothingToDo : BULK_TEXTS.questions[action](meant)}</Text>
      {scheduled > 0 && <Text>{BULK_TEXTS.dropsSchedules(scheduled)}</Text>}
      {meant > 0 && leftOut > 0 && (
        <Text c="dimmed" size="sm">
          {BULK_TEXTS.leftOut(leftOut)}
        </Text>
      )}
      {meant > 0 && isWithdrawal(action) && <IncludeLinked isConfirmed={isConfirmed} onConfirm={onConfirm} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {meant === 0 ? SHELL_TEXTS.close : SHELL_TEXTS.cancel}
        </Button>
        {meant > 0 && (
          <Button data-autofocus color={isWithdrawal(action) ? 'red' : 'pine'} onClick={onStart}>
            {BULK_TEXTS.start(BULK_TEXTS.actions[action], meant)}
          </Button>
        )}
      </Group>
    </>
  );
}

function Running({ work: { done, failures, total, stop } }: { readonly work: BulkWork }) {
  const ended = done + failures.length;
  return (
    <>
      <Progress
        size="lg"
        value={(100 * ended) / total}
        transitionDuration={0}
        aria-label={BULK_TEXTS.progress}
        aria-valuetext={BULK_TEXTS.done(ended, total)}
      />
      <Group justify="space-between">
        <Text className={classes.figures}>{BULK_TEXTS.done(ended, total)}</Text>
        <Button variant="default" autoFocus onClick={stop}>
          {BULK_TEXTS.stop}
        </Button>
      </Group>
    </>
  );
}

interface FinishedProps extends IncludeLinkedProps {
  readonly site: string;
  readonly action: BulkAction;
  readonly work: BulkWork;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

function Finished(props: FinishedProps) {
  const { site, action, work, isConfirmed, onConfirm, onAgain, onClose } = props;
  const { done, failures, warned, total } = work;
  const left = total - done - failures.length;
  return (
    <>
      <Text role="status">{BULK_TEXTS.outcome(action, { done, failed: failures.length, left })}</Text>
      {failures.length > 0 && (
        <section>
          <Title order={3}>{BULK_TEXTS.failures(action)}</Title>
          <ul className={classes.failures}>
            {failures.map(({ row, error }) => (
              <li key={row.id}>
                <TextLink to="/sites/$site/content/$id" params={{ site, id: row.id }}>
                  {row.name}
                </TextLink>
                <Reason site={site} row={row} error={error} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {warned.length > 0 && (
        <section>
          <Title order={3}>{BULK_TEXTS.sharedUrls}</Title>
          <ul className={classes.failures}>
            {warned.map(({ id, name, warnings }) => (
              <li key={id}>
                <TextLink to="/sites/$site/content/$id" params={{ site, id }}>
                  {name}
                </TextLink>
                <span className={classes.reason}>{warnings.map(describeWarning).join('\n')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {failures.length > 0 && isWithdrawal(action) && <IncludeLinked isConfirmed={isConfirmed} onConfirm={onConfirm} />}
      <Group justify="flex-end" gap="xs">
        {failures.length > 0 && (
          <Button variant="default" onClick={onAgain}>
            {BULK_TEXTS.tryAgain}
          </Button>
        )}
        <Button autoFocus onClick={onClose}>
          {SHELL_TEXTS.close}
        </Button>
      </Group>
    </>
  );
}

interface ReasonProps extends Failure {
  readonly site: string;
}

function Reason({ site, row, error }: ReasonProps) {
  const { data: types } = useSuspenseQuery(typesQuery(site));
  const taken = readTakenUrl(error);
  if (taken === undefined) return <span className={classes.reason}>{describeReason(error, row, types)}</span>;
  const { page, path } = taken;
  return (
    <span className={classes.reason}>
      {BULK_TEXTS.urlTaken(path)}{' '}
      <TextLink to="/sites/$site/content/$id" params={{ site, id: page.id }} size="sm" underline="always">
        {page.name}
      </TextLink>
    </span>
  );
}

function describeWarning({ reason, content }: WarningBody): string {
  const language = reason === 'url_in_other_language' ? nameLanguage(content.language) : undefined;
  return BULK_TEXTS.sharedWith(content.name, language);
}

function describeReason(error: Error, row: ContentSummaryBody, types: readonly ManagedTypeBody[]): string {
  const linked = readLinkedPages(error);
  if (linked !== undefined) return linked.text;
  if (!(error instanceof ApiError) || error.faults.length === 0) return describeError(error);
  return error.faults.map((fault) => describeFault(fault, row.content_type, types)).join('\n');
}

// Shows the uploads and their progress in the corner of the screen, above any dialogs, because files can also be dropped on a dialog.

import { ActionIcon, Button, CloseButton, Portal, Progress, Tooltip, VisuallyHidden } from '@mantine/core';
import {
  IconAlertCircle,
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconCopy,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { TextLink } from '../../elements/link-button.tsx';
import { useCornerPanel } from '../../elements/use-bottom-bar.ts';
import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';
import { formatBytes } from '../format-bytes.ts';
import type { Uploads } from './open-uploads.ts';
import classes from './upload-panel.module.css';
import { type Queue, summariseQueue, type Upload } from './upload-queue.ts';

type Actions = Pick<Uploads, 'cancel' | 'cancelAll' | 'retry' | 'addAnyway' | 'takeExisting' | 'clear'>;

interface UploadPanelProps {
  readonly queue: Queue;
  readonly uploads: Actions;
}

export function UploadPanel({ queue, uploads }: UploadPanelProps) {
  const [isOpen, setIsOpen] = useState(true);
  const panel = useCornerPanel();
  const summary = summariseQueue(queue);
  const isUploading = summary.active > 0;
  const settled = summary.total - summary.active;
  const title = isUploading ? UPLOAD_TEXTS.uploading(settled, summary.total) : UPLOAD_TEXTS.outcome(summary);
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <Portal>
      <section ref={panel} className={classes.panel} aria-label={UPLOAD_TEXTS.title} data-uploads>
        <header className={classes.head}>
          {/* Only the outcome is announced: a message for each file would interrupt people too often. */}
          <span className={classes.title}>
            <span aria-hidden={!isUploading || undefined}>{title}</span>
            <VisuallyHidden role="status">{isUploading ? '' : title}</VisuallyHidden>
          </span>
          {isUploading && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={uploads.cancelAll}>
              {UPLOAD_TEXTS.cancelAll}
            </Button>
          )}
          <ActionIcon
            size={24}
            aria-expanded={isOpen}
            aria-label={isOpen ? UPLOAD_TEXTS.collapse : UPLOAD_TEXTS.expand}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Chevron size={16} aria-hidden />
          </ActionIcon>
          {!isUploading && <CloseButton size={24} aria-label={UPLOAD_TEXTS.clear} onClick={uploads.clear} />}
        </header>
        {isUploading && (
          <Progress
            size={3}
            radius={0}
            value={summary.percent}
            aria-label={UPLOAD_TEXTS.totalProgress}
            className={classes.total}
          />
        )}
        {isOpen && (
          <ul className={classes.list}>
            {orderRows(queue).map((upload) => (
              <UploadRow key={upload.id} upload={upload} actions={uploads} />
            ))}
          </ul>
        )}
      </section>
    </Portal>
  );
}

/** Uploads that need a decision come first, where people will see them. */
function orderRows(queue: Queue): Queue {
  const needsHelp = ({ state }: Upload): boolean => state.name === 'duplicate' || state.name === 'failed';
  return [...queue.filter(needsHelp), ...queue.filter((upload) => !needsHelp(upload))];
}

interface UploadRowProps {
  readonly upload: Upload;
  readonly actions: Actions;
}

function UploadRow({ upload, actions }: UploadRowProps) {
  const { id, site, name, state } = upload;
  return (
    <li className={classes.row} data-state={state.name}>
      <div className={classes.line}>
        {state.name === 'done' ? (
          <TextLink
            className={classes.name}
            to="/sites/$site/assets/$asset"
            params={{ site, asset: state.asset.id }}
            aria-label={UPLOAD_TEXTS.openOf(name)}
          >
            {name}
          </TextLink>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        <span className={classes.state}>{describeState(upload)}</span>
        <UploadButtons upload={upload} actions={actions} />
      </div>
      {state.name === 'sending' && (
        <Progress
          size={4}
          value={percentOf(upload, state.sent)}
          animated={state.sent >= upload.size}
          aria-label={UPLOAD_TEXTS.progressOf(name)}
        />
      )}
      {state.name === 'failed' && <p className={classes.error}>{state.message}</p>}
      {state.name === 'duplicate' && (
        <div className={classes.choice}>
          <p>{UPLOAD_TEXTS.duplicate(state.existing.name)}</p>
          <Button
            size="compact-xs"
            variant="light"
            aria-label={UPLOAD_TEXTS.existingOf(name)}
            onClick={() => actions.takeExisting(id)}
          >
            {UPLOAD_TEXTS.takeExisting}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={UPLOAD_TEXTS.addAnywayOf(name)}
            onClick={() => actions.addAnyway(id)}
          >
            {UPLOAD_TEXTS.addAnyway}
          </Button>
        </div>
      )}
    </li>
  );
}

function percentOf({ size }: Upload, sent: number): number {
  return size === 0 ? 100 : Math.floor((100 * sent) / size);
}

function describeState(upload: Upload): ReactNode {
  const { size, state } = upload;
  if (state.name === 'waiting') return formatBytes(size);
  if (state.name === 'sending') {
    return state.sent >= size ? UPLOAD_TEXTS.processing : UPLOAD_TEXTS.percent(percentOf(upload, state.sent));
  }
  if (state.name === 'done') return <IconCheck size={16} className={classes.good} aria-label={UPLOAD_TEXTS.done} />;
  if (state.name === 'failed') return <IconAlertCircle size={16} className={classes.bad} aria-hidden />;
  if (state.name === 'duplicate') return <IconCopy size={16} aria-hidden />;
  return UPLOAD_TEXTS.cancelled;
}

function UploadButtons({ upload: { id, name, state }, actions }: UploadRowProps) {
  const canRetry = state.name === 'failed' || state.name === 'cancelled';
  const canCancel = state.name === 'waiting' || state.name === 'sending';
  return (
    <>
      {canRetry && (
        <Tooltip label={UPLOAD_TEXTS.retry} zIndex={400}>
          <ActionIcon size={24} aria-label={UPLOAD_TEXTS.retryOf(name)} onClick={() => actions.retry(id)}>
            <IconRefresh size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {canCancel && (
        <Tooltip label={UPLOAD_TEXTS.cancel} zIndex={400}>
          <ActionIcon size={24} aria-label={UPLOAD_TEXTS.cancelOf(name)} onClick={() => actions.cancel(id)}>
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  );
}

// The state of content as a word and a symbol, with a clock icon if the content is scheduled or its schedule failed.

import type { ContentSummaryBody, FailedScheduleBody } from '@galley/wire';
import { IconClock, IconClockExclamation } from '@tabler/icons-react';
import { formatMoment } from '../elements/time-text.tsx';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import classes from './state-label.module.css';

type Schedule = Partial<Pick<ContentSummaryBody, 'publish_at' | 'unpublish_at' | 'failed_schedule'>>;
type StateLabelProps = Pick<ContentSummaryBody, 'state'> & Schedule;

export function StateLabel({
  state,
  publish_at: publishAt = null,
  unpublish_at: unpublishAt = null,
  failed_schedule: failed = null,
}: StateLabelProps) {
  const schedule = [
    publishAt === null ? undefined : CONTENT_TEXTS.publishes(formatMoment(publishAt)),
    unpublishAt === null ? undefined : CONTENT_TEXTS.unpublishes(formatMoment(unpublishAt)),
  ].filter((text) => text !== undefined);
  return (
    <span className={classes.label}>
      <span className={classes.mark} data-state={state} aria-hidden />
      {CONTENT_TEXTS.states[state]}
      {schedule.length > 0 && (
        <IconClock size={14} role="img" aria-label={schedule.join('; ')} className={classes.clock}>
          <title>{schedule.join('; ')}</title>
        </IconClock>
      )}
      {failed !== null && <FailedMark failed={failed} />}
    </span>
  );
}

function FailedMark({ failed }: { readonly failed: FailedScheduleBody }) {
  const text = CONTENT_TEXTS.failed[failed.action](formatMoment(failed.due_at));
  return (
    <IconClockExclamation size={14} role="img" aria-label={text} className={classes.failed}>
      <title>{text}</title>
    </IconClockExclamation>
  );
}

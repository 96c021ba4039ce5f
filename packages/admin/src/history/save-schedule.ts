// Brings the schedule of content to what a form says: times that were cleared are cancelled, those that were changed are set.

import type { ManagedContentBody } from '@galley/wire';
import { api, readAnswer } from '../api/api.ts';
import { cancelSchedule } from '../editor/lifecycle-calls.ts';
import { buildScheduleChange, type ScheduleValues } from './schedule-change.ts';

interface ScheduleSave {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly values: ScheduleValues;
  readonly initial: ScheduleValues;
  /** Called with the content after each step: what was done is done, even where the next step fails. */
  readonly onStep: (content: ManagedContentBody) => Promise<void>;
}

export async function saveSchedule({
  site,
  content,
  values,
  initial,
  onStep,
}: ScheduleSave): Promise<ManagedContentBody> {
  const params = { path: { site, content: content.id } };
  const { times, cancelled, isCancelledFirst } = buildScheduleChange(content, values, initial);
  const steps: (() => Promise<ManagedContentBody>)[] = [];
  if (Object.keys(times).length > 0) {
    steps.push(() =>
      readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/schedule', { params, body: times })),
    );
  }
  if (cancelled !== undefined) {
    steps.push(() => cancelSchedule(site, content.id, cancelled));
  }
  let saved = content;
  for (const step of isCancelledFirst ? steps.toReversed() : steps) {
    saved = await step();
    await onStep(saved);
  }
  return saved;
}

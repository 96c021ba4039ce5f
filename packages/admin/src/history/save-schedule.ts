// Brings the schedule of content to what a form says: times that are cleared are cancelled, the others are set.

import type { ManagedContentBody } from '@galley/wire';
import { api, readAnswer } from '../api/api.ts';
import { parseLocalTime } from '../editor/fields/local-time.ts';

/** In local time; empty where there is none. */
export interface ScheduleValues {
  readonly publish_at: string;
  readonly unpublish_at: string;
}

export async function saveSchedule(
  site: string,
  content: ManagedContentBody,
  values: ScheduleValues,
): Promise<ManagedContentBody> {
  const params = { path: { site, content: content.id } };
  const publishAt = parseLocalTime(values.publish_at);
  const unpublishAt = parseLocalTime(values.unpublish_at);
  const dropsPublish = publishAt === undefined && content.publish_at !== null;
  const dropsUnpublish = unpublishAt === undefined && content.unpublish_at !== null;
  let saved = content;
  if (dropsPublish || dropsUnpublish) {
    const which = dropsPublish && dropsUnpublish ? 'both' : dropsPublish ? 'publish' : 'unpublish';
    saved = await readAnswer(
      api.POST('/manage/v1/sites/{site}/content/{content}/cancel-schedule', { params, body: { which } }),
    );
  }
  // A time that stays as it is may be a minute from now: only what differs is sent.
  const changed = {
    ...(publishAt !== undefined && publishAt !== content.publish_at ? { publish_at: publishAt } : {}),
    ...(unpublishAt !== undefined && unpublishAt !== content.unpublish_at ? { unpublish_at: unpublishAt } : {}),
  };
  if (Object.keys(changed).length === 0) return saved;
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/schedule', { params, body: changed }));
}

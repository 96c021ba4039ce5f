// The bodies of the management API that a dashboard is made of.

import type { FailedScheduleBody } from './manage-content.ts';

/** How much content a site has, and what happens to it next. */
export interface OverviewBody {
  /** Counted as the lists of content count by `status`: `published` has `changed` in it, `scheduled` and `failed` are any of them. */
  readonly states: {
    readonly draft: number;
    readonly published: number;
    readonly changed: number;
    readonly unpublished: number;
    readonly archived: number;
    readonly scheduled: number;
    readonly failed: number;
  };
  /** By the handle of the content type, the archive left out; types without content are not there. */
  readonly types: readonly { readonly content_type: string; readonly total: number }[];
  /** The next schedules, the soonest first. */
  readonly scheduled: readonly ScheduledBody[];
  /** Schedules that could not be carried out, the last one first. */
  readonly failed: readonly FailedContentBody[];
}

/** What is to happen to content at a time. */
export interface ScheduledBody {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly language: string;
  readonly action: 'publish' | 'unpublish';
  readonly at: string;
}

/** Content with a schedule that could not be carried out. */
export interface FailedContentBody {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly language: string;
  readonly failed_schedule: FailedScheduleBody;
}

/** What was read in the last hour. */
export interface TrafficBody {
  /** Sixty minutes, the oldest first. */
  readonly data: readonly {
    /** When the minute began. */
    readonly at: string;
    /** Published answers of the content API. */
    readonly answers: number;
    /** Those of them that were ready in the cache. */
    readonly hits: number;
  }[];
}

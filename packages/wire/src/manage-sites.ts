// Sites in the management API, with their authors, assets, API keys and overview.

import type { FailedScheduleBody } from './manage-content.ts';

/** A site. */
export interface SiteBody {
  readonly id: string;
  readonly name: string;
  /** The address that content's urls start with, without a slash at its end. */
  readonly url: string | null;
  readonly default_language: string;
  /** The default language among them, in the order in which they were added. */
  readonly languages: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** An author: a by-line, not a login. */
export interface ManagedAuthorBody {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

/** What is known of a file, and the address that it is found at. */
export interface ManagedAssetBody {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  /** In bytes; 0 where nobody said. */
  readonly size: number;
  readonly mime_type: string;
  readonly is_image: boolean;
  readonly width: number | null;
  readonly height: number | null;
}

/** An API key; of its token only the beginning is known. */
export interface ApiKeyBody {
  readonly id: string;
  readonly name: string;
  /** The beginning of the token, to recognise it by. */
  readonly prefix: string;
  /** The sites that it may read; empty where it may read all. */
  readonly sites: readonly string[];
  /** Whether it may read every site of the account, those of the future too. */
  readonly all_sites: boolean;
  /** Whether it may read what is not published. */
  readonly preview: boolean;
  readonly expires_at: string | null;
  /** Requests a minute; 0 for no limit, null for the server's own. */
  readonly rate_limit: number | null;
  /** Known to about half a minute. */
  readonly last_used_at: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** A new API key with its token, which is shown this once. */
export interface NewApiKeyBody extends ApiKeyBody {
  readonly token: string;
}

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

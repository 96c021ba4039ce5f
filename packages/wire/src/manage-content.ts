// The bodies of the management API about content: its drafts, its lifecycle, its translations.

import type { SaverBody } from './manage-versions.ts';

/** Where content stands. `changed` is published with a newer version that is not. */
export type ContentStateName = 'draft' | 'published' | 'changed' | 'unpublished' | 'archived';

/** A content object as it stands in a list. */
export interface ContentSummaryBody {
  readonly id: string;
  /** The handle of its content type. */
  readonly content_type: string;
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  /** The id of its author. */
  readonly author: string | null;
  readonly author_name: string | null;
  readonly state: ContentStateName;
  /** The number of the newest version. A save names the one that it was made from. */
  readonly version: number;
  /** The number of the version that readers see; null where they see none. */
  readonly published_version: number | null;
  readonly published_at: string | null;
  /** When it is to be published; null where nothing is scheduled. */
  readonly publish_at: string | null;
  /** When it is to be unpublished. */
  readonly unpublish_at: string | null;
  /** The last schedule that could not be carried out; null where there is none, or somebody has dealt with it. */
  readonly failed_schedule: FailedScheduleBody | null;
  readonly created_at: string;
  /** When the newest version was saved. */
  readonly updated_at: string;
}

/** A schedule that could not be carried out. Galley does not try it again. */
export interface FailedScheduleBody {
  readonly action: 'publish' | 'unpublish';
  /** When it was to happen. */
  readonly due_at: string;
  readonly failed_at: string;
  /** Why, as a person would have been told. */
  readonly message: string;
  /** The first 20 faults that stood in the way; empty where the message says it all. */
  readonly errors: readonly FaultBody[];
}

/** Something that is wrong, and where. */
export interface FaultBody {
  /** Like `fields.body.blocks[2].fields.title.text`. */
  readonly path: string;
  readonly message: string;
}

/** Something that does not keep content from being published, but that its editors should know. */
export interface WarningBody {
  /** `url_shared`: another page of the same language has the URL, too. `url_in_other_language`: a page of another language has it. */
  readonly reason: 'url_shared' | 'url_in_other_language';
  readonly message: string;
  /** The other page, as readers see it. */
  readonly content: {
    readonly id: string;
    readonly name: string;
    /** The handle of its content type. */
    readonly content_type: string;
    readonly language: string;
  };
}

/** A content object with its newest version. */
export interface ManagedContentBody extends ContentSummaryBody {
  /** The address below the site's as it was given; null where the content type's pattern makes it. */
  readonly uri: string | null;
  /** That address, given or made: where the newest version is, or would be if it were published now. */
  readonly path: string;
  /** The whole address; null where the site has none. */
  readonly url: string | null;
  /** Where readers find the published version; null where they find none. */
  readonly published_path: string | null;
  /** The whole of that address; null where the site has none too. */
  readonly published_url: string | null;
  /** Every member is there, unset ones are null. */
  readonly seo: Readonly<Record<string, unknown>>;
  /** Values by handle in their plain form, as in a bundle; fields without a value are not there. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Who saved the newest version; null where an import brought it. */
  readonly saved_by: SaverBody | null;
  /**
   * Whether the slug comes from the name: in a draft whose slug is what the name gives, with a number where that was taken. A save
   * with a slug of null keeps it so.
   */
  readonly slug_follows_name: boolean;
  /** What keeps the newest version from being published. */
  readonly faults: readonly FaultBody[];
  /** Published pages that have the URL of the newest version, too. */
  readonly warnings: readonly WarningBody[];
  /** The records of its translation group, itself among them. */
  readonly translations: readonly TranslationBody[];
  /** Languages of the site that the group has no record in. */
  readonly missing_languages: readonly string[];
  /** In the answer to a save: texts that are not stored as they were sent, because HTML was taken out of them. */
  readonly sanitised: readonly string[];
}

/** A record of a translation group. */
export interface TranslationBody {
  readonly id: string;
  readonly language: string;
  readonly name: string;
  readonly slug: string;
  readonly state: ContentStateName;
}

/** A translation group. */
export interface TranslationListBody {
  /** In the order of the site's languages. */
  readonly data: readonly TranslationBody[];
  readonly missing_languages: readonly string[];
}

/** Whether content could be published. */
export interface ValidationBody {
  readonly is_valid: boolean;
  readonly faults: readonly FaultBody[];
  readonly warnings: readonly WarningBody[];
}

/** A content object as the delivery API answers it. */
export interface DeliveredContentBody {
  /** What readers get; null where they find nothing. */
  readonly published: Readonly<Record<string, unknown>> | null;
  /** What previews show: the newest saved version. Null where the content is archived. */
  readonly preview: Readonly<Record<string, unknown>> | null;
}

// The bodies of the management API about the versions of content, and about what links to it.

import type { ContentStateName } from './manage-content.ts';

/** Whoever saved a version, as they were called then. */
export interface SaverBody {
  /** Null for commands and schedules. */
  readonly id: string | null;
  readonly name: string;
}

/** A version of a content object, as it stands in a list. */
export interface VersionEntryBody {
  /** Counts from 1 on for each content object. */
  readonly number: number;
  /** What the content was called in this version. */
  readonly name: string;
  readonly saved_at: string;
  /** Null where an import brought it. */
  readonly saved_by: SaverBody | null;
  readonly is_newest: boolean;
  /** Whether readers see this version now. */
  readonly is_published: boolean;
  /** Whether readers have seen this version at any time, now included. */
  readonly was_published: boolean;
  /** The number of the older version that was restored as this one; null for every other save. */
  readonly restored_from: number | null;
}

/** The versions of a content object, the newest first. */
export interface VersionListBody {
  readonly data: readonly VersionEntryBody[];
  /** The `before` of the next page; null on the last one. */
  readonly next_before: number | null;
}

/** A whole version. */
export interface VersionBody extends VersionEntryBody {
  readonly slug: string;
  /** Null where the content type's pattern decides. */
  readonly uri: string | null;
  /** The id of the author. */
  readonly author: string | null;
  /** As in a bundle: every member is there, unset ones are null. */
  readonly seo: Readonly<Record<string, unknown>>;
  /** Values by handle in their plain form, as in a bundle; fields without a value are not there. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One value that differs between two versions. */
export interface ChangeBody {
  /** Like `name`, `seo.title` or `fields.body.blocks[0].fields.title.text`. */
  readonly path: string;
  /** Null where there was nothing. */
  readonly before: unknown;
  /** Null where there is nothing any more. */
  readonly after: unknown;
}

/** What differs between two versions of a content object. */
export interface ComparisonBody {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly ChangeBody[];
}

/** The outcome of restoring a version. */
export interface RestoredVersionBody {
  /** The number of the new version that holds the old values; the newest as it was, where nothing differs from it. */
  readonly version: number;
  /** What the old version had and has no place any more, with its path and the reason. */
  readonly left_out: readonly { readonly path: string; readonly message: string }[];
}

/** Content that links to other content. */
export interface BacklinkBody {
  readonly id: string;
  readonly name: string;
  /** The handle of its content type. */
  readonly content_type: string;
  readonly state: ContentStateName;
  readonly language: string;
  /** Whether readers see the link; otherwise only the newest saved version has it. */
  readonly is_public: boolean;
}

/** What links to a content object. */
export interface BacklinkListBody {
  /** The newest content first, up to the limit. */
  readonly data: readonly BacklinkBody[];
  /** How many there are in all. */
  readonly total: number;
}

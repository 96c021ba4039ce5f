// The bodies of the management API by name. They are declared once, as the schemas of its routes: `npm run generate:api-types` makes
// `management-api.ts` from them.

import type { components } from './management-api.ts';

export type { paths as ManagementPaths } from './management-api.ts';

type Schemas = components['schemas'];

type Body<Name extends keyof Schemas> = Frozen<Schemas[Name]>;

/** Nothing in a body changes. A member that may be absent may also be undefined: JSON leaves it out. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? {
        readonly [Member in keyof Value]:
          | Frozen<Value[Member]>
          | (object extends Pick<Value, Member> ? undefined : never);
      }
    : Value;

/** A page of a list. */
export interface ManagementPageBody<Item> {
  readonly data: readonly Item[];
  /** The `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/** What every refusal of the management API answers with. */
export type ManagementErrorBody = Body<'Error'>;

/** The account that sites, users and keys belong to. */
export type AccountBody = Body<'Account'>;

/** Somebody who can sign in. */
export type UserBody = Body<'User'>;

/** What somebody may do: an owner everything, an editor content. */
export type RoleName = Body<'User'>['role'];

/** Who calls: a user with a session, or a token. */
export type SessionBody = Body<'Session'>;

/** Whether the first owner is still to be created. */
export type SetupBody = Body<'Setup'>;

/** A token of the management API, as far as it can be shown again. */
export type ManagementTokenBody = Body<'ManagementToken'>;

/** A new token: the only time that the token itself is shown. */
export type NewManagementTokenBody = Body<'NewManagementToken'>;

/** Something that was done. Names are as they were then. */
export type AuditEntryBody = Body<'AuditEntry'>;

/** The audit log, the newest first. */
export type AuditLogBody = Body<'AuditLog'>;

/** A site. */
export type SiteBody = Body<'Site'>;

/** An author: a by-line, not a login. */
export type ManagedAuthorBody = Body<'ManagedAuthor'>;

/** What is known about a file, and its URL. */
export type ManagedAssetBody = Body<'ManagedAsset'>;

/** An API key; only the beginning of its token is known. */
export type ApiKeyBody = Body<'ApiKey'>;

/** A new API key with its token, which is shown this once. */
export type NewApiKeyBody = Body<'NewApiKey'>;

/** How much content a site has, and what happens to it next. */
export type OverviewBody = Body<'Overview'>;

/** What is to happen to content at a time. */
export type ScheduledBody = Body<'Scheduled'>;

/** Content with a schedule that could not be carried out. */
export type FailedContentBody = Body<'FailedContent'>;

/** What was read in the last hour. */
export type TrafficBody = Body<'Traffic'>;

/** A content type with its fields, in the order in which they are shown. */
export type ManagedTypeBody = Body<'ContentType'>;

/** All content types of a site. */
export type ManagedTypeListBody = Body<'ContentTypeList'>;

/** A field as it is defined. Settings that are not set, or do not belong to its type, are absent. */
export type ManagedFieldBody = Body<'Field'>;

/** A choice of an option field: people read the label, content holds the value. */
export type FieldOptionBody = Body<'FieldOption'>;

/** A content object as it is shown in a list. */
export type ContentSummaryBody = Body<'ContentSummary'>;

/** Where content is in its lifecycle. `changed` is published with a newer version that is not. */
export type ContentStateName = Body<'ContentSummary'>['state'];

/** A content object with its newest version. */
export type ManagedContentBody = Body<'ManagedContent'>;

/** A schedule that could not be carried out. Galley does not try it again. */
export type FailedScheduleBody = Body<'FailedSchedule'>;

/** Something that is wrong, and where. */
export type FaultBody = Body<'Fault'>;

/** Something that does not keep content from being published, but that its editors should know. */
export type WarningBody = Body<'Warning'>;

/** A record of a translation group. */
export type TranslationBody = Body<'Translation'>;

/** A translation group. */
export type TranslationListBody = Body<'TranslationList'>;

/** Whether content could be published. */
export type ValidationBody = Body<'Validation'>;

/** A content object as the delivery API answers it. */
export type DeliveredContentBody = Body<'DeliveredContent'>;

/** Content that links to other content. */
export type BacklinkBody = Body<'Backlink'>;

/** What links to a content object. */
export type BacklinkListBody = Body<'BacklinkList'>;

/** A version of a content object, as it is shown in a list. */
export type VersionEntryBody = Body<'VersionEntry'>;

/** The versions of a content object, the newest first. */
export type VersionListBody = Body<'VersionList'>;

/** A whole version. */
export type VersionBody = Body<'Version'>;

/** Who saved a version, with the name that they had then. */
export type SaverBody = Body<'Saver'>;

/** One value that differs between two versions. */
export type ChangeBody = Body<'Change'>;

/** What differs between two versions of a content object. */
export type ComparisonBody = Body<'Comparison'>;

/** The outcome of restoring a version. */
export type RestoredVersionBody = Body<'RestoredVersion'>;

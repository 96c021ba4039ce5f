// Names for the request and response bodies of the management API. The bodies are declared once, in the schemas of its routes, from
// which `npm run generate:api-types` generates `management-api.ts`.

import type { components } from './management-api.ts';

export type { paths as ManagementPaths } from './management-api.ts';

type Schemas = components['schemas'];

type Body<Name extends keyof Schemas> = Frozen<Schemas[Name]>;

/** Makes a body read-only. An optional property may also be undefined, because JSON omits it. */
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

/** The body of every error response from the management API. */
export type ManagementErrorBody = Body<'Error'>;

/** The account that sites, users and keys belong to. */
export type AccountBody = Body<'Account'>;

/** A person who can sign in. */
export type UserBody = Body<'User'>;

/** A user's role: an owner can do everything, and an editor can manage content. */
export type RoleName = Body<'User'>['role'];

/** The caller: a user with a session, or a token. */
export type SessionBody = Body<'Session'>;

/** Whether the first owner still has to be created. */
export type SetupBody = Body<'Setup'>;

/** A management API token, without its secret. */
export type ManagementTokenBody = Body<'ManagementToken'>;

/** A new token. This is the only time that the token itself is shown. */
export type NewManagementTokenBody = Body<'NewManagementToken'>;

/** An action in the audit log. It contains names as they were at the time of the action. */
export type AuditEntryBody = Body<'AuditEntry'>;

/** The audit log, newest entry first. */
export type AuditLogBody = Body<'AuditLog'>;

/** A site. */
export type SiteBody = Body<'Site'>;

/** An author, named in bylines. Authors are not user accounts. */
export type ManagedAuthorBody = Body<'ManagedAuthor'>;

/** The metadata of a file, and its URL. */
export type ManagedAssetBody = Body<'ManagedAsset'>;

/** A file that an asset has or had. */
export type AssetFileBody = Body<'AssetFile'>;

/** The files that an asset has had, the current one first. */
export type AssetFileListBody = Body<'AssetFileList'>;

/** Content that uses an asset. */
export type AssetUseBody = Body<'AssetUse'>;

/** The content that uses an asset. */
export type AssetUseListBody = Body<'AssetUseList'>;

/** An asset folder. */
export type AssetFolderBody = Body<'AssetFolder'>;

/** A site's asset folders. */
export type AssetFolderListBody = Body<'AssetFolderList'>;

/** The tags of a site's assets. */
export type AssetTagListBody = Body<'AssetTagList'>;

/** The number of assets that a batch has changed. */
export type AssetBatchBody = Body<'AssetBatch'>;

/** A site's settings for assets. */
export type AssetSettingsBody = Body<'AssetSettings'>;

/** A name for a set of image URL parameters. */
export type ImagePresetBody = Body<'ImagePreset'>;

/** A site's image presets. */
export type ImagePresetListBody = Body<'ImagePresetList'>;

/** The key that signs a site's image URLs. */
export type ImageKeyBody = Body<'ImageKey'>;

/** An API key; only the start of its token is stored. */
export type ApiKeyBody = Body<'ApiKey'>;

/** A new API key with its token, which is shown only once. */
export type NewApiKeyBody = Body<'NewApiKey'>;

/** A webhook. It contains neither its secret nor the values of its headers. */
export type WebhookBody = Body<'Webhook'>;

/** A webhook with its new secret, which is shown only once. */
export type NewWebhookBody = Body<'NewWebhook'>;

/** All of a site's webhooks. */
export type WebhookListBody = Body<'WebhookList'>;

/** A call to a webhook. */
export type WebhookCallBody = Body<'WebhookCall'>;

/** A call with its events, its last request and the response. */
export type WebhookCallDetailsBody = Body<'WebhookCallDetails'>;

/** The addresses at which a site's drafts can be previewed. Only owners see the secret. */
export type PreviewSettingsBody = Body<'PreviewSettings'>;

/** The URL that opens a preview, and the data that the panel needs to communicate with the page. */
export type PreviewUrlBody = Body<'PreviewUrl'>;

/** A link that shows a draft to people without an account. */
export type ShareLinkBody = Body<'ShareLink'>;

/** A share link with its URL, which is shown only once. */
export type NewShareLinkBody = Body<'NewShareLink'>;

/** The share links for a content object. */
export type ShareLinkListBody = Body<'ShareLinkList'>;

/** The amount of content on a site, and its upcoming scheduled changes. */
export type OverviewBody = Body<'Overview'>;

/** A scheduled change to content. */
export type ScheduledBody = Body<'Scheduled'>;

/** Content with a schedule that failed. */
export type FailedContentBody = Body<'FailedContent'>;

/** Traffic in the last hour. */
export type TrafficBody = Body<'Traffic'>;

/** A content type with its fields, in display order. */
export type ManagedTypeBody = Body<'ContentType'>;

/** All of a site's content types. */
export type ManagedTypeListBody = Body<'ContentTypeList'>;

/** The definition of a field. Settings that have no value, or that do not apply to its type, are absent. */
export type ManagedFieldBody = Body<'Field'>;

/** An option of an option field: people see the label, and content contains the value. */
export type FieldOptionBody = Body<'FieldOption'>;

/** A content object as it appears in a list. */
export type ContentSummaryBody = Body<'ContentSummary'>;

/** The state of content in its lifecycle. `changed` means that it is published, but has a newer version that is not. */
export type ContentStateName = Body<'ContentSummary'>['state'];

/** A content object with its latest version. */
export type ManagedContentBody = Body<'ManagedContent'>;

/** A schedule that failed. Galley does not retry it. */
export type FailedScheduleBody = Body<'FailedSchedule'>;

/** A problem and its location. */
export type FaultBody = Body<'Fault'>;

/** A problem that does not prevent publishing, but that editors should know about. */
export type WarningBody = Body<'Warning'>;

/** A content record in a translation group. */
export type TranslationBody = Body<'Translation'>;

/** A translation group. */
export type TranslationListBody = Body<'TranslationList'>;

/** Whether content could be published. */
export type ValidationBody = Body<'Validation'>;

/** A content object in the form in which the delivery API returns it. */
export type DeliveredContentBody = Body<'DeliveredContent'>;

/** Content that links to other content. */
export type BacklinkBody = Body<'Backlink'>;

/** The content that links to a content object. */
export type BacklinkListBody = Body<'BacklinkList'>;

/** A version of a content object, as it appears in a list. */
export type VersionEntryBody = Body<'VersionEntry'>;

/** The versions of a content object, newest first. */
export type VersionListBody = Body<'VersionList'>;

/** A complete version. */
export type VersionBody = Body<'Version'>;

/** The user who saved a version, with the name they had at the time. */
export type SaverBody = Body<'Saver'>;

/** One value that differs between two versions. */
export type ChangeBody = Body<'Change'>;

/** The differences between two versions of a content object. */
export type ComparisonBody = Body<'Comparison'>;

/** The result of restoring a version. */
export type RestoredVersionBody = Body<'RestoredVersion'>;

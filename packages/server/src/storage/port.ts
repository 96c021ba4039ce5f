// What the rest of the service may know of storage: what it reads and writes, and no word of SQL.

export {
  type AccountRow,
  insertAccount,
  MAIN_ACCOUNT_NO,
  renameAccount,
  selectAccount,
  selectAccountById,
} from './accounts/accounts.ts';
export {
  findTokenState,
  insertManagementToken,
  type ManagementTokenRow,
  markManagementTokenUsed,
  revokeManagementToken,
  selectManagementToken,
  selectManagementTokenByHash,
  selectManagementTokens,
  selectTokensOf,
  type TokenMaker,
  type TokenState,
} from './accounts/management-tokens.ts';
export {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  type SessionRow,
  selectSession,
} from './accounts/sessions.ts';
export {
  countActiveOwners,
  deleteUser,
  hasUsers,
  hasUsersIn,
  insertUser,
  markSignedIn,
  selectUser,
  selectUserByEmail,
  selectUsers,
  type UserRow,
  updateUser,
} from './accounts/users.ts';
export { againIfLost } from './again-if-lost.ts';
export { selectAssetUses } from './assets/asset-uses.ts';
export {
  type AssetSearch,
  deleteAsset,
  type ListedAssetRow,
  selectAsset,
  selectAssets,
  writeAsset,
} from './assets/assets.ts';
export {
  type AuditEntryRow,
  type AuditFilter,
  DELETED_USER,
  forgetInAudit,
  insertAuditEntry,
  selectAuditEntries,
  selectAuditPlace,
} from './audit/audit-entries.ts';
export { selectAuthorUses } from './authors/author-uses.ts';
export {
  type AuthorWrite,
  deleteAuthor,
  type ListedAuthorRow,
  selectAuthor,
  selectAuthors,
  writeAuthor,
} from './authors/authors.ts';
export {
  deleteCallsBefore,
  deleteCallsOf,
  forgetAnswers,
  hasCallsBefore,
  insertCall,
  type MadeCall,
  selectCall,
} from './calls/idempotent-calls.ts';
export { type ContentCountRow, countContent } from './contents/content-counts.ts';
export {
  findSlugOwner,
  findTranslation,
  type StoredContentRecord,
  selectGroup,
  selectRecord,
  selectRecordsOfAllSites,
} from './contents/content-records.ts';
export {
  type ContentVersion,
  encodeSeo,
  FIRST_VERSION,
  measureVersions,
  renameSaver,
  selectVersion,
  updateRestoredMark,
  type VersionPosition,
} from './contents/content-versions.ts';
export { deleteContents } from './contents/delete-contents.ts';
export { discardNewerVersions } from './contents/discard-newer-versions.ts';
export {
  countFailedSchedules,
  decodeFailedSchedule,
  type FailedScheduleRow,
  forgetFailureReasons,
  selectFailedSchedules,
} from './contents/failed-schedules.ts';
export { fillContents, LEAST_CONTENTS } from './contents/fill-contents.ts';
export {
  findMissingAssets,
  findMissingContents,
  hasContentOfType,
  selectAuthorNo,
} from './contents/find-references.ts';
export {
  countPublished,
  findLargeShow,
  isRowTooLarge,
  isShowTooLarge,
  type LargeShow,
  measureLargestAsset,
  remeasureShow,
  selectPublishedRows,
} from './contents/find-too-large.ts';
export { insertContents, meetsOthers, type NewContent } from './contents/insert-contents.ts';
export { type BacklinkRow, countBacklinks, selectBacklinks } from './contents/select-backlinks.ts';
export { type DueRow, selectDue, selectNextDueTime } from './contents/select-due.ts';
export { type NextScheduleRow, selectNextSchedules } from './contents/select-next-schedules.ts';
export { selectPublishedUri } from './contents/select-published-uri.ts';
export {
  type RecordFilter,
  type RecordOrder,
  type RecordPosition,
  type RecordSummaryRow,
  selectRecordsPage,
} from './contents/select-records-page.ts';
export { selectAuthorNames, selectMediaTypes, selectTypesOfContents } from './contents/select-references.ts';
export type { AssetRow, AuthorRow } from './contents/select-related.ts';
export {
  type SharingPage,
  selectSharingPages,
  selectUriHolders,
  type UriHolder,
} from './contents/select-uri-holders.ts';
export {
  selectVersions,
  selectWholeVersion,
  type VersionEntry,
  type WholeVersion,
} from './contents/select-versions.ts';
export {
  findUri,
  isSeenAlike,
  moveContent,
  refillContent,
  saveVersion,
  writeContent,
} from './contents/write-content.ts';
export { LEFT_BEHIND } from './copy/copied-tables.ts';
export { type CopySource, selectCopySource, selectLastEdit } from './copy/copy-source.ts';
export type {
  CatalogMemo,
  DeliveryReads,
  Found,
  ListPage,
  ListSelection,
  ObjectSelection,
  Reading,
  Visit,
} from './delivery-reads.ts';
export {
  ConstraintViolation,
  type DatabaseFigures,
  DatabaseUnusable,
  ImportRunning,
  type Obstacle,
  OutcomeUnknown,
  type Snapshot,
  StorageFault,
  StorageUnavailable,
  TookTooLong,
  type Transaction,
} from './engine.ts';
export { leaveUriToPattern } from './export/leave-uri.ts';
export {
  countExported,
  type ExportCounts,
  type ExportedContent,
  type ExportedVersion,
  findMissingInSite,
  selectAssetsAfter,
  selectAuthorsAfter,
  selectContentIdsAfter,
  selectExportedContent,
} from './export/select-exported.ts';
export { FairTurns } from './fair-turns.ts';
export type { FileInspection, ServerInspection } from './inspection/inspection.ts';
export { type Consistency, selectConsistency } from './inspection/select-consistency.ts';
export type { AccessRow } from './keys/select-access.ts';
export {
  FIRST_KEY,
  type KeyRecord,
  selectAllKeys,
  selectKey,
  selectKeys,
} from './keys/select-keys.ts';
export { insertKey, markKeysUsed, revokeKey, updateKey } from './keys/write-keys.ts';

export { type ContentRow, DamagedContent } from './lists/content-rows.ts';
export type { Audience, ReadModel } from './lists/list-plan.ts';
export { SCHEMA_VERSION, SchemaTooNew, selectCurrentVersion } from './migrations.ts';
export { FIRST_POSITION, type NamePosition } from './name-page.ts';
export { forgetDepartedField } from './publication/departed-keys.ts';
export { moveToGroup, parkGroup, parkSlug, renameGroup } from './publication/move-to-group.ts';
export { purgeFieldKeys } from './publication/purge-field-keys.ts';
export { replaceAuthorInContent } from './publication/replace-author.ts';
export {
  beginSiteDeletion,
  deleteSitePortion,
  finishSiteDeletion,
  isBeingDeleted,
  isDeletionUnfinished,
  selectSiteAccount,
  selectUnfinishedDeletion,
} from './sites/delete-site.ts';
export { countContentIn, selectUntranslatedContent } from './sites/language-uses.ts';
export {
  hasHadSites,
  selectCatalog,
  selectPreviewGeneration,
  selectSite,
  selectSites,
} from './sites/select-catalog.ts';
export { type SiteRecord, selectSiteRecord, selectSiteRecords } from './sites/site-records.ts';
export { writeSite } from './sites/write-catalog.ts';
export type { Procedure } from './statement.ts';
export type { DatabaseAddress, Storage } from './storage.ts';
export {
  countContentOfType,
  rewriteSavedVersion,
  type SavedVersion,
  selectSavedVersions,
} from './types/saved-values.ts';
export {
  countLacking,
  FIRST_LACKING,
  LACKING_SHOWN,
  type LackingPosition,
  type LackingStretch,
  selectLacking,
} from './types/select-lacking.ts';
export {
  deleteContentType,
  deleteField,
  insertContentType,
  insertField,
  orderFields,
  updateContentType,
  updateField,
} from './types/write-types.ts';
export type { Uses, UsingContent } from './uses.ts';

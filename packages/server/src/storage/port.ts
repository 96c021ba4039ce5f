// What the rest of the service may know of storage: what it reads and writes, and no word of SQL.

export {
  type AccountRow,
  countActiveOwners,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  deleteUser,
  hasUsers,
  hasUsersIn,
  insertAccount,
  insertSession,
  insertUser,
  MAIN_ACCOUNT_NO,
  markSignedIn,
  renameAccount,
  type SessionRow,
  selectAccount,
  selectAccountById,
  selectSession,
  selectUser,
  selectUserByEmail,
  selectUsers,
  type UserRow,
  updateUser,
} from './accounts/accounts.ts';
export {
  type AuditEntryRow,
  type AuditFilter,
  DELETED_USER,
  forgetInAudit,
  insertAuditEntry,
  selectAuditEntries,
  selectAuditPlace,
} from './accounts/audit-entries.ts';
export {
  deleteCallsBefore,
  deleteCallsOf,
  forgetAnswers,
  hasCallsBefore,
  insertCall,
  type MadeCall,
  selectCall,
} from './accounts/idempotent-calls.ts';
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
  type BacklinkRow,
  countBacklinks,
  countContentIn,
  selectAssetUses,
  selectAuthorUses,
  selectBacklinks,
  selectUntranslatedContent,
  type Uses,
  type UsingContent,
} from './contents/content-uses.ts';
export {
  type ContentVersion,
  encodeSeo,
  FIRST_VERSION,
  measureVersions,
  renameSaver,
  selectVersion,
  selectVersions,
  selectWholeVersion,
  updateRestoredMark,
  type VersionEntry,
  type VersionPosition,
  type WholeVersion,
} from './contents/content-versions.ts';
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
export {
  fillContents,
  insertContents,
  LEAST_CONTENTS,
  meetsOthers,
  type NewContent,
} from './contents/insert-contents.ts';
export {
  type SharingPage,
  selectPublishedUri,
  selectSharingPages,
  selectUriHolders,
  type UriHolder,
} from './contents/published-uris.ts';
export {
  findMissingAssets,
  findMissingContents,
  findMissingInSite,
  hasContentOfType,
  selectAuthorNames,
  selectAuthorNo,
  selectMediaTypes,
  selectTypesOfContents,
} from './contents/references.ts';
export {
  countFailedSchedules,
  type DueRow,
  decodeFailedSchedule,
  type FailedScheduleRow,
  forgetFailureReasons,
  type NextScheduleRow,
  selectDue,
  selectFailedSchedules,
  selectNextDueTime,
  selectNextSchedules,
} from './contents/schedules.ts';
export {
  type RecordFilter,
  type RecordOrder,
  type RecordPosition,
  type RecordSummaryRow,
  selectRecordsPage,
} from './contents/select-records-page.ts';
export {
  deleteContents,
  discardNewerVersions,
  findUri,
  isSeenAlike,
  leaveUriToPattern,
  moveContent,
  refillContent,
  saveVersion,
  writeContent,
} from './contents/write-content.ts';
export { type CopySource, LEFT_BEHIND, selectCopySource, selectLastEdit } from './copied-tables.ts';
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
export { FairTurns } from './fair-turns.ts';
export { type Consistency, type FileInspection, type ServerInspection, selectConsistency } from './inspection.ts';
export {
  FIRST_KEY,
  insertKey,
  type KeyRecord,
  markKeysUsed,
  revokeKey,
  selectAllKeys,
  selectKey,
  selectKeys,
  updateKey,
} from './keys/api-keys.ts';
export type { AccessRow } from './keys/select-access.ts';
export { type ContentRow, DamagedContent } from './lists/content-rows.ts';
export type { Audience } from './lists/list-plan.ts';
export { SCHEMA_VERSION, SchemaTooNew, selectCurrentVersion } from './migrations.ts';
export { FIRST_POSITION, type NamePosition } from './named-rows.ts';
export {
  moveToGroup,
  parkGroup,
  parkSlug,
  purgeFieldKeys,
  renameGroup,
  replaceAuthorInContent,
} from './publication/rewrite-content.ts';
export { forgetDepartedField } from './publication/sort-keys.ts';
export { againIfLost } from './retry.ts';
export {
  type AssetRow,
  type AssetSearch,
  deleteAsset,
  type ListedAssetRow,
  selectAsset,
  selectAssets,
  writeAsset,
} from './sites/assets.ts';
export {
  type AuthorRow,
  type AuthorWrite,
  deleteAuthor,
  type ListedAuthorRow,
  selectAuthor,
  selectAuthors,
  writeAuthor,
} from './sites/authors.ts';
export {
  hasHadSites,
  type SiteRecord,
  selectCatalog,
  selectPreviewGeneration,
  selectSite,
  selectSiteRecord,
  selectSiteRecords,
  selectSites,
} from './sites/select-catalog.ts';
export {
  countExported,
  type ExportCounts,
  type ExportedContent,
  type ExportedVersion,
  selectAssetsAfter,
  selectAuthorsAfter,
  selectContentIdsAfter,
  selectExportedContent,
} from './sites/select-exported.ts';
export {
  beginSiteDeletion,
  deleteSitePortion,
  finishSiteDeletion,
  isBeingDeleted,
  isDeletionUnfinished,
  selectSiteAccount,
  selectUnfinishedDeletion,
  writeSite,
} from './sites/write-site.ts';
export type { Procedure } from './statement.ts';
export type { DatabaseAddress, Storage } from './storage.ts';
export {
  countContentOfType,
  countLacking,
  FIRST_LACKING,
  LACKING_SHOWN,
  type LackingPosition,
  type LackingStretch,
  rewriteSavedVersion,
  type SavedVersion,
  selectLacking,
  selectSavedVersions,
} from './types/saved-values.ts';
export {
  deleteContentType,
  deleteField,
  insertContentType,
  insertField,
  orderFields,
  updateContentType,
  updateField,
} from './types/write-types.ts';

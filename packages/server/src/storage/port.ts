// What the rest of the service may know of storage: what it reads and writes, and no word of SQL.

export {
  type AccountRow,
  insertAccount,
  MAIN_ACCOUNT_NO,
  renameAccount,
  selectAccount,
  selectAccountById,
  selectAccounts,
} from './accounts/accounts.ts';
export {
  insertManagementToken,
  type ManagementTokenRow,
  markManagementTokenUsed,
  revokeManagementToken,
  selectManagementTokenByHash,
  selectManagementTokens,
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
  hasUsers,
  insertUser,
  selectUser,
  selectUserByEmail,
  selectUsers,
  type UserRow,
  updateUser,
} from './accounts/users.ts';
export { type AuditEntryRow, insertAuditEntry, selectAuditEntries } from './audit/audit-entries.ts';
export {
  type ContentVersion,
  findSlugOwner,
  findTranslation,
  type StoredContentRecord,
  selectGroup,
  selectRecord,
  selectRecordsOfAllSites,
} from './contents/content-records.ts';
export {
  findMissingAssets,
  findMissingContents,
  hasContentOfType,
  moveToGroup,
  parkGroup,
  parkSlug,
  selectAuthorNo,
} from './contents/find-references.ts';
export type { AssetRow, AuthorRow, LinkedRow, Related } from './contents/select-related.ts';
export { publishNewest, withdrawContent, writeContent } from './contents/write-content.ts';
export type { CatalogMemo, DeliveryReads, ListPage, Visit } from './delivery-reads.ts';
export { ConstraintViolation, DatabaseUnusable, StorageUnavailable, type Transaction } from './engine.ts';
export type { AccessRow } from './keys/select-access.ts';
export { insertKey, revokeKey, selectKeys } from './keys/write-keys.ts';
export type { Audience } from './lists/list-plan.ts';
export type { ContentRow } from './lists/select-list.ts';
export { SchemaTooNew } from './migrations.ts';
export { selectCatalog, selectSite, selectSites } from './sites/select-catalog.ts';
export {
  insertContentType,
  insertField,
  moveGeneration,
  updateContentType,
  updateField,
  writeAsset,
  writeAuthor,
  writeSite,
} from './sites/write-catalog.ts';
export type { Procedure } from './statement.ts';
export type { Storage } from './storage.ts';

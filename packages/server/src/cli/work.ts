// Everything that commands need for their work. Loading it takes longer than running most commands, so a command imports it only when its
// work begins. Help and usage errors therefore appear immediately.

export { COMMAND_ACTOR } from '../authoring/actor.ts';
export { createApiKey, revokeApiKey } from '../authoring/api-keys.ts';
export {
  deleteAuthorOfSite,
  deleteContentById,
  deleteSiteById,
  deleteUserByEmail,
  findCommandActor,
  findSiteActor,
  findWebhookPlace,
  publishById,
  unpublishById,
} from '../authoring/command-work.ts';
export { nameInstallation, sweepFiles } from '../authoring/file-sweep.ts';
export { createAccount } from '../authoring/people/accounts.ts';
export { createManagementToken, revokeManagementToken } from '../authoring/people/management-tokens.ts';
export { createUser } from '../authoring/people/users.ts';
export {
  rotatePreviewSecret,
  selectOwnPreview,
  updatePreviewAddresses,
} from '../authoring/sites/preview-settings.ts';
export { createSite } from '../authoring/sites/sites.ts';
export {
  createWebhook,
  DEFAULT_SETTINGS,
  deleteWebhook,
  findCall,
  findWebhook,
  refuseCarriedHeaders,
  rotateWebhookSecret,
  selectOwnWebhooks,
  sendCallAgain,
  sendTestCall,
  updateWebhook,
} from '../authoring/webhooks.ts';
export { exportBundle } from '../bundle/export-bundle.ts';
export { examine } from '../doctor/examine.ts';
export { copyFiles } from '../files/copy-files.ts';
export { openFileStore } from '../files/open-file-store.ts';
export { findVariantPrefix } from '../images/image-variants.ts';
export { renderToken } from '../management/routes/token-routes.ts';
export { renderCall, renderCallDetails } from '../management/routes/webhook-call-routes.ts';
export { renderWebhook } from '../management/routes/webhook-routes.ts';
export { hasUsersIn, MAIN_ACCOUNT_NO, selectAccount } from '../storage/accounts/accounts.ts';
export { selectManagementTokens } from '../storage/accounts/management-tokens.ts';
export { LEFT_BEHIND, selectCopySource, selectLastEdit } from '../storage/copied-tables.ts';
export { selectAllKeys } from '../storage/keys/api-keys.ts';
export { copyIntoPostgres, countCopiedRows, inspectCopyTarget } from '../storage/postgres/copy-into-postgres.ts';
export { countRecordedFiles, findOldestRestorable } from '../storage/sites/asset-files.ts';
export { selectCatalog, selectSite, selectSites } from '../storage/sites/select-catalog.ts';
export { backUpSqlite } from '../storage/sqlite/backup-sqlite.ts';
export { selectCalls } from '../storage/webhooks/webhook-calls.ts';
export { GENERATED_MARK, generateTypes } from '../type-generation/generate-types.ts';
export { findMessage } from './describe-failure.ts';
export { exportToFolder } from './export-folder.ts';
export { listNeeded, readFileRecords } from './file-records.ts';
export { importFiles } from './import-files.ts';
export { readServiceSettings } from './read-service-settings.ts';
export { startProgress } from './start-progress.ts';
export { createDesk, openAndRun, refuseMissingDatabase, withExistingStorage, withStorage } from './with-storage.ts';

// Everything that commands need for their work. Loading it takes longer than most commands run, so a command imports it only
// when its work begins: help and usage errors come at once.

export { COMMAND_ACTOR } from '../authoring/actor.ts';
export { createApiKey, revokeApiKey } from '../authoring/api-keys.ts';
export {
  deleteAuthorOfSite,
  deleteContentById,
  deleteSiteById,
  deleteUserByEmail,
  findCommandActor,
  publishById,
  unpublishById,
} from '../authoring/command-work.ts';
export { createAccount } from '../authoring/people/accounts.ts';
export { createManagementToken, revokeManagementToken } from '../authoring/people/management-tokens.ts';
export { createUser } from '../authoring/people/users.ts';
export { createSite } from '../authoring/sites/sites.ts';
export { exportBundle } from '../bundle/export-bundle.ts';
export { examine } from '../doctor/examine.ts';
export { renderToken } from '../management/routes/token-routes.ts';
export {
  hasUsersIn,
  LEFT_BEHIND,
  MAIN_ACCOUNT_NO,
  selectAccount,
  selectAllKeys,
  selectCatalog,
  selectCopySource,
  selectLastEdit,
  selectManagementTokens,
  selectSite,
  selectSites,
} from '../storage/port.ts';
export { copyIntoPostgres, countCopiedRows, inspectCopyTarget } from '../storage/postgres/copy-into-postgres.ts';
export { backUpSqlite } from '../storage/sqlite/backup-sqlite.ts';
export { GENERATED_MARK, generateTypes } from '../type-generation/generate-types.ts';
export { findMessage } from './describe-failure.ts';
export { importFiles } from './import-files.ts';
export { startProgress } from './start-progress.ts';
export { createDesk, openAndRun, refuseMissingDatabase, withExistingStorage, withStorage } from './with-storage.ts';

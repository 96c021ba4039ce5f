// Everything that commands need for their work. Loading it takes longer than most commands run, so a command imports it only
// when its work begins: help and usage errors come at once.

export { COMMAND_ACTOR } from '../authoring/actor.ts';
export {
  deleteAuthorOfSite,
  deleteContentById,
  deleteSiteById,
  deleteUserByEmail,
} from '../authoring/delete-by-command.ts';
export { createApiKey } from '../authoring/keys/create-api-key.ts';
export { revokeApiKey } from '../authoring/keys/revoke-api-key.ts';
export { createAccount } from '../authoring/people/create-account.ts';
export { createManagementToken } from '../authoring/people/create-management-token.ts';
export { createUser } from '../authoring/people/create-user.ts';
export { findCommandActor } from '../authoring/people/find-command-actor.ts';
export { revokeManagementToken } from '../authoring/people/revoke-management-token.ts';
export { publishById, unpublishById } from '../authoring/publish-by-id.ts';
export { createSite } from '../authoring/sites/create-site.ts';
export { exportBundle } from '../bundle/export-bundle.ts';
export { examine } from '../doctor/examine.ts';
export { renderToken } from '../management/tokens/token-body.ts';
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

// What commands do their work with, behind the one import that is worth delaying.

import { COMMAND_ACTOR } from '../authoring/actor.ts';
import {
  deleteAuthorOfSite,
  deleteContentById,
  deleteSiteById,
  deleteUserByEmail,
} from '../authoring/delete-by-command.ts';
import { createApiKey } from '../authoring/keys/create-api-key.ts';
import { revokeApiKey } from '../authoring/keys/revoke-api-key.ts';
import { createAccount } from '../authoring/people/create-account.ts';
import { createManagementToken } from '../authoring/people/create-management-token.ts';
import { createUser } from '../authoring/people/create-user.ts';
import { findCommandActor } from '../authoring/people/find-command-actor.ts';
import { revokeManagementToken } from '../authoring/people/revoke-management-token.ts';
import { publishById, unpublishById } from '../authoring/publish-by-id.ts';
import { createSite } from '../authoring/sites/create-site.ts';
import { renderToken } from '../management/tokens/token-body.ts';
import {
  hasUsersIn,
  MAIN_ACCOUNT_NO,
  selectAccount,
  selectAllKeys,
  selectManagementTokens,
  selectSites,
} from '../storage/port.ts';
import { backUp } from './back-up.ts';
import { buildSetUpLink } from './build-set-up-link.ts';
import { createDesk } from './create-desk.ts';
import { findMessage } from './describe-failure.ts';
import { examine } from './examine.ts';
import { exportSite } from './export-site.ts';
import { importFiles } from './import-files.ts';
import { moveToPostgres } from './move-to-postgres.ts';
import { describeImport, renderImported, renderRefusal, renderWarnings } from './render-import.ts';
import { withExistingStorage, withStorage } from './with-storage.ts';
import { generateSiteTypes, writeTypes } from './write-types.ts';

export const work = Object.freeze({
  backUp,
  buildSetUpLink,
  COMMAND_ACTOR,
  createAccount,
  createApiKey,
  createDesk,
  createManagementToken,
  createSite,
  createUser,
  deleteAuthorOfSite,
  deleteContentById,
  deleteSiteById,
  deleteUserByEmail,
  describeImport,
  examine,
  exportSite,
  generateSiteTypes,
  findCommandActor,
  findMessage,
  hasUsersIn,
  importFiles,
  MAIN_ACCOUNT_NO,
  moveToPostgres,
  publishById,
  renderImported,
  renderRefusal,
  renderToken,
  renderWarnings,
  revokeApiKey,
  revokeManagementToken,
  selectAccount,
  selectAllKeys,
  selectManagementTokens,
  selectSites,
  unpublishById,
  withExistingStorage,
  withStorage,
  writeTypes,
});

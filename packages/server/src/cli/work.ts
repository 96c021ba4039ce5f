// What commands do their work with, behind the one import that is worth delaying.

import { COMMAND_ACTOR } from '../authoring/actor.ts';
import { createApiKey, revokeApiKey } from '../authoring/api-keys.ts';
import {
  deleteAuthorOfSite,
  deleteContentById,
  deleteSiteById,
  deleteUserByEmail,
  findCommandActor,
  publishById,
  unpublishById,
} from '../authoring/command-work.ts';
import { createAccount } from '../authoring/people/accounts.ts';
import { createManagementToken, revokeManagementToken } from '../authoring/people/management-tokens.ts';
import { createUser } from '../authoring/people/users.ts';
import { createSite } from '../authoring/sites/sites.ts';
import { renderToken } from '../management/routes/token-routes.ts';
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

// What commands do their work with, behind the one import that is worth delaying.

import { createApiKey } from '../authoring/create-api-key.ts';
import { createSite } from '../authoring/create-site.ts';
import { publishContent, unpublishContent } from '../authoring/publish-content.ts';
import { revokeApiKey } from '../authoring/revoke-api-key.ts';
import { MAIN_ACCOUNT_NO, selectKeys, selectSites } from '../storage/port.ts';
import { importFiles } from './import-files.ts';
import { withExistingStorage, withStorage } from './with-storage.ts';

export const work = Object.freeze({
  createApiKey,
  createSite,
  importFiles,
  MAIN_ACCOUNT_NO,
  publishContent,
  revokeApiKey,
  selectKeys,
  selectSites,
  unpublishContent,
  withExistingStorage,
  withStorage,
});

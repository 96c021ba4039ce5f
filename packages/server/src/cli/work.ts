// What commands do their work with, behind the one import that is worth delaying.

export { createApiKey } from '../authoring/create-api-key.ts';
export { createSite } from '../authoring/create-site.ts';
export { publishContent, unpublishContent } from '../authoring/publish-content.ts';
export { revokeApiKey } from '../authoring/revoke-api-key.ts';
export { selectKeys, selectSites } from '../storage/port.ts';
export { importFiles } from './import-files.ts';
export { withExistingStorage, withStorage } from './with-storage.ts';

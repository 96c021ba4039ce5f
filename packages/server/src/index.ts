// The public entry of the package: what it takes to run a service inside another program, such as a benchmark.

export { type ApiKeyRequest, type CreatedApiKey, createApiKey } from './authoring/create-api-key.ts';
export { createSite, type SiteRequest } from './authoring/create-site.ts';
export { type PublishRequest, publishContent, unpublishContent } from './authoring/publish-content.ts';
export { type ImportOptions, type ImportSummary, importBundle } from './bundle/import-bundle.ts';
export { createLogger } from './http/create-logger.ts';
export { openStorage } from './open-storage.ts';
export { type DatabaseUrl, readSettings, type Settings } from './settings.ts';
export { type RunningService, type ServiceParts, startService } from './start-service.ts';
export type { Storage } from './storage/port.ts';

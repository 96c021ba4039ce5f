// The public entry point of the package: everything needed to run a service inside another program, such as a benchmark.

export { type Actor, COMMAND_ACTOR } from './authoring/actor.ts';
export type { ApiKeyRights } from './authoring/api-keys.ts';
export { type CreatedApiKey, createApiKey } from './authoring/api-keys.ts';
export { type PublishRequest, publishById, unpublishById } from './authoring/command-work.ts';
export type { Desk } from './authoring/desk.ts';
export { createSite, type SiteRequest } from './authoring/sites/sites.ts';
export { BundleRefusal, type Finding, type Warnings } from './bundle/bundle-report.ts';
export { type ImportOptions, type ImportSummary, importBundle } from './bundle/import-bundle.ts';
export { createLogger } from './http/create-logger.ts';
export { openStorage } from './open-storage.ts';
export { type DatabaseUrl, readSettings, type Settings } from './settings.ts';
export { type RunningService, type ServiceParts, startService } from './start-service.ts';
export type { Storage } from './storage/storage.ts';

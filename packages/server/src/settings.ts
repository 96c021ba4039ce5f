// The service's settings: one table lists them, and one reader turns the environment into a frozen value.

export { inspectSettings, type SettingFinding, type SettingsInspection } from './settings/inspect-settings.ts';
export { loadEnvironment, readSettings } from './settings/read-settings.ts';
export type { DatabaseUrl, LogLevel, Settings } from './settings/setting-rows.ts';
export { SETTING_TABLE } from './settings/setting-rows.ts';

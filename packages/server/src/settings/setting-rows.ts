// All settings: name, default, meaning and parser. These rows define how settings are read, and appear in error messages and in the
// documentation.

import type { AssetsLocation } from '../files/assets-url.ts';
import {
  type DatabaseUrl,
  parseAssetsLocation,
  parseBoolean,
  parseChoice,
  parseDatabaseUrl,
  parseHeaderPrefix,
  parseHost,
  parseHosts,
  parseHostsAndNetworks,
  parsePath,
  parsePostgresUrls,
  parsePublicUrl,
  parseTrustedProxies,
  parseWholeNumber,
} from './parse-setting.ts';

export type { DatabaseUrl } from './parse-setting.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: DatabaseUrl;
  readonly replicaUrls: readonly string[];
  /** The base of absolute URLs, without a trailing slash. If null, it is derived from the request. */
  readonly publicUrl: string | null;
  /** The number of proxies in front of the service, or their networks. */
  readonly trustProxy: number | readonly string[];
  readonly headerPrefix: string;
  readonly match: 'all' | 'any';
  readonly emptySlug: 'list' | '404';
  readonly cacheMb: number;
  readonly freshnessMs: number;
  readonly staleSeconds: number;
  /** Requests per minute for each key; 0 means no limit. */
  readonly rateLimit: number;
  /** How long the change log is kept. */
  readonly changesDays: number;
  /** The maximum number of open change streams for each key, in each process. */
  readonly streamsPerKey: number;
  /** Webhook receivers that may have private addresses: host names in lower case, and networks in CIDR notation. */
  readonly webhookAllow: readonly string[];
  readonly assetsUrl: AssetsLocation;
  readonly maxUploadMb: number;
  /** How long files that are no longer used can be restored. */
  readonly assetsKeepDays: number;
  readonly imageCache: 'folder' | 'bucket';
  readonly imageCacheDir: string;
  readonly imageCacheMb: number;
  readonly isAdminServed: boolean;
  /** Lowercase host names. */
  readonly adminHosts: readonly string[];
  readonly isDemoWanted: boolean;
  readonly logLevel: LogLevel;
  readonly isAccessLogged: boolean;
  readonly isMetricsServed: boolean;
  readonly drainMs: number;
}

export interface SettingRow<Value> {
  readonly name: string;
  /** A variable without our prefix that hosting platforms set. It is used if `name` is not set. */
  readonly alias?: string;
  /** The default, as shown in the documentation. */
  readonly default: string;
  readonly meaning: string;
  readonly allowed: string;
  /** A secret is never printed. It can be read from a file named in `<name>_FILE`. */
  readonly isSecret?: true;
  readonly fallback: Value;
  readonly parse: (text: string) => Value | undefined;
}

export const SETTING_ROWS = {
  port: row({
    name: 'GALLEY_PORT',
    alias: 'PORT',
    default: '3000',
    meaning: 'the port to listen on; 0 picks a free one',
    allowed: 'a whole number from 0 to 65535',
    fallback: 3000,
    parse: parseWholeNumber(0, 65_535),
  }),
  host: row({
    name: 'GALLEY_HOST',
    alias: 'HOST',
    default: '127.0.0.1',
    meaning: 'the address to listen on',
    allowed: 'an IP address or a host name',
    fallback: '127.0.0.1',
    parse: parseHost,
  }),
  databaseUrl: row<DatabaseUrl>({
    name: 'GALLEY_DATABASE_URL',
    alias: 'DATABASE_URL',
    default: 'sqlite:./data/galley.db',
    meaning: 'where content is stored: the embedded database or a PostgreSQL server',
    allowed: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    isSecret: true,
    fallback: Object.freeze({ engine: 'sqlite', path: './data/galley.db' }),
    parse: parseDatabaseUrl,
  }),
  replicaUrls: row<readonly string[]>({
    name: 'GALLEY_REPLICA_URLS',
    default: 'none',
    meaning: 'PostgreSQL read replicas that the delivery API reads from, separated by commas',
    allowed: 'postgres:// URLs separated by commas, if GALLEY_DATABASE_URL is a PostgreSQL URL',
    isSecret: true,
    fallback: Object.freeze([]),
    parse: parsePostgresUrls,
  }),
  publicUrl: row<string | null>({
    name: 'GALLEY_PUBLIC_URL',
    default: 'from the request',
    meaning: 'base of the absolute URLs in responses',
    allowed: 'an http:// or https:// URL without a user, query or fragment',
    fallback: null,
    parse: parsePublicUrl,
  }),
  trustProxy: row<number | readonly string[]>({
    name: 'GALLEY_TRUST_PROXY',
    default: 'false',
    meaning: 'proxies whose X-Forwarded-* headers are trusted: their number or their networks; true means one proxy',
    allowed:
      'true, false, a number from 0 to 32, or addresses and networks separated by commas (10.0.0.0/8, loopback, linklocal, uniquelocal)',
    fallback: 0,
    parse: parseTrustedProxies,
  }),
  headerPrefix: row({
    name: 'GALLEY_HEADER_PREFIX',
    default: 'X-SERVICE',
    meaning: "prefix of the service's own headers",
    allowed: 'at most 64 letters and digits, optionally joined by single hyphens; not Accept or Content',
    fallback: 'X-SERVICE',
    parse: parseHeaderPrefix,
  }),
  match: row<'all' | 'any'>({
    name: 'GALLEY_MATCH',
    default: 'all',
    meaning: 'whether an object must match all values of one filter, or any of them',
    allowed: 'all or any',
    fallback: 'all',
    parse: parseChoice(['all', 'any']),
  }),
  emptySlug: row<'list' | '404'>({
    name: 'GALLEY_EMPTY_SLUG',
    default: 'list',
    meaning: 'response to a slug filter with no matches: an empty list, or 404',
    allowed: 'list or 404',
    fallback: 'list',
    parse: parseChoice(['list', '404']),
  }),
  cacheMb: row({
    name: 'GALLEY_CACHE_MB',
    default: '64',
    meaning: 'megabytes of memory for cached responses; 0 turns caching off',
    allowed: 'a whole number from 0 to 1048576',
    fallback: 64,
    parse: parseWholeNumber(0, 1_048_576),
  }),
  freshnessMs: row({
    name: 'GALLEY_FRESHNESS_MS',
    default: '1000',
    meaning:
      'maximum number of milliseconds before a node sees changes that other nodes saved in PostgreSQL; 0 checks the database every time',
    allowed: 'a whole number from 0 to 60000',
    fallback: 1000,
    parse: parseWholeNumber(0, 60_000),
  }),
  staleSeconds: row({
    name: 'GALLEY_STALE_SECONDS',
    default: '3600',
    meaning: 'seconds for which cached responses are served while the PostgreSQL server cannot be reached',
    allowed: 'a whole number from 0 to 31536000',
    fallback: 3600,
    parse: parseWholeNumber(0, 31_536_000),
  }),
  rateLimit: row({
    name: 'GALLEY_RATE_LIMIT',
    default: '0',
    meaning: 'requests per minute for keys without their own limit; 0 means no limit',
    allowed: 'a whole number from 0 to 1000000000',
    fallback: 0,
    parse: parseWholeNumber(0, 1_000_000_000),
  }),
  changesDays: row({
    name: 'GALLEY_CHANGES_DAYS',
    default: '90',
    meaning:
      'minimum number of days for which the change log keeps changes; clients that fall further behind have to start over',
    allowed: 'a whole number from 1 to 3650',
    fallback: 90,
    parse: parseWholeNumber(1, 3650),
  }),
  streamsPerKey: row({
    name: 'GALLEY_STREAMS_PER_KEY',
    default: '2000',
    meaning:
      'maximum number of change streams and waiting long polls that a key can have open at the same time, in each process',
    allowed: 'a whole number from 1 to 5000',
    fallback: 2000,
    parse: parseWholeNumber(1, 5000),
  }),
  webhookAllow: row<readonly string[]>({
    name: 'GALLEY_WEBHOOK_ALLOW',
    default: 'none',
    meaning: 'webhook receivers that are allowed although their addresses are private, separated by commas',
    allowed: 'host names, addresses and networks separated by commas (hooks.internal, 127.0.0.1, 10.0.0.0/8, loopback)',
    fallback: Object.freeze([]),
    parse: parseHostsAndNetworks,
  }),
  assetsUrl: row<AssetsLocation>({
    name: 'GALLEY_ASSETS_URL',
    default: 'file:./data/assets',
    meaning: 'where uploaded files are stored: a folder or an S3 bucket',
    allowed: 'file:PATH or s3://BUCKET/PREFIX?region=REGION&endpoint=URL&path_style=true',
    fallback: Object.freeze({ kind: 'folder', path: './data/assets' }),
    parse: parseAssetsLocation,
  }),
  maxUploadMb: row({
    name: 'GALLEY_MAX_UPLOAD_MB',
    default: '200',
    meaning: 'maximum size of an uploaded file in megabytes',
    allowed: 'a whole number from 1 to 5120',
    fallback: 200,
    parse: parseWholeNumber(1, 5120),
  }),
  assetsKeepDays: row({
    name: 'GALLEY_ASSETS_KEEP_DAYS',
    default: '7',
    meaning: 'days for which a replaced file can be restored',
    allowed: 'a whole number from 0 to 3650',
    fallback: 7,
    parse: parseWholeNumber(0, 3650),
  }),
  imageCache: row<'folder' | 'bucket'>({
    name: 'GALLEY_IMAGE_CACHE',
    default: 'folder',
    meaning: 'where transformed images are kept: only in the local folder, or also in the S3 bucket, for all nodes',
    allowed: 'folder, or bucket if GALLEY_ASSETS_URL is an s3:// URL',
    fallback: 'folder',
    parse: parseChoice(['folder', 'bucket']),
  }),
  imageCacheDir: row({
    name: 'GALLEY_IMAGE_CACHE_DIR',
    default: './data/images',
    meaning: 'the local folder for transformed images',
    allowed: 'a path',
    fallback: './data/images',
    parse: parsePath,
  }),
  imageCacheMb: row({
    name: 'GALLEY_IMAGE_CACHE_MB',
    default: '1024',
    meaning: 'maximum size of that folder in megabytes; the least recently used images are deleted first',
    allowed: 'a whole number from 16 to 1048576',
    fallback: 1024,
    parse: parseWholeNumber(16, 1_048_576),
  }),
  isAdminServed: row({
    name: 'GALLEY_ADMIN',
    default: 'true',
    meaning: 'serve the management API and the admin panel from this node',
    allowed: 'true or false',
    fallback: true,
    parse: parseBoolean,
  }),
  adminHosts: row<readonly string[]>({
    name: 'GALLEY_ADMIN_HOSTS',
    default: 'none',
    meaning: 'additional host names for the management API and the admin panel, separated by commas',
    allowed: 'host names separated by commas, without a scheme or port',
    fallback: Object.freeze([]),
    parse: parseHosts,
  }),
  isDemoWanted: row<boolean | null>({
    name: 'GALLEY_DEMO',
    default: 'true on SQLite, false on PostgreSQL',
    meaning: 'create the demo site on an empty database',
    allowed: 'true or false',
    fallback: null,
    parse: parseBoolean,
  }),
  logLevel: row<LogLevel>({
    name: 'GALLEY_LOG_LEVEL',
    default: 'info',
    meaning: 'the least severe level that is logged; debug adds a line for each request, silent logs nothing',
    allowed: LOG_LEVELS.join(', '),
    fallback: 'info',
    parse: parseChoice(LOG_LEVELS),
  }),
  isAccessLogged: row({
    name: 'GALLEY_ACCESS_LOG',
    default: 'false',
    meaning: 'log a line for each request at the info level: method, path, status, time, site and key ID',
    allowed: 'true or false',
    fallback: false,
    parse: parseBoolean,
  }),
  isMetricsServed: row({
    name: 'GALLEY_METRICS',
    default: 'false',
    meaning: 'serve Prometheus metrics at /metrics',
    allowed: 'true or false',
    fallback: false,
    parse: parseBoolean,
  }),
  drainMs: row({
    name: 'GALLEY_DRAIN_MS',
    default: '0',
    meaning: 'milliseconds for which a stopping service still accepts connections, while /readyz returns 503',
    allowed: 'a whole number from 0 to 300000',
    fallback: 0,
    parse: parseWholeNumber(0, 300_000),
  }),
} as const;

export interface SettingDescription {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
}

export const SETTING_TABLE: readonly SettingDescription[] = Object.freeze(
  Object.values(SETTING_ROWS).map((each) =>
    Object.freeze({ name: each.name, default: each.default, meaning: each.meaning }),
  ),
);

function row<Value>(setting: SettingRow<Value>): SettingRow<Value> {
  return Object.freeze(setting);
}

// Reads frozen, complete settings from the environment, or lists everything that is wrong with it. Messages never contain a secret,
// because people paste them into public issues.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { fail, ok, type Result } from '../content/result.ts';
import { SETTING_ROWS, type SettingRow, type Settings } from './setting-rows.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Merges the `.env` file in `cwd`, if there is one, with the process environment, which takes precedence. */
export function loadEnvironment(cwd: string, environment: Environment = process.env): Environment {
  return Object.freeze({ ...readEnvFile(join(cwd, '.env')), ...environment });
}

function readEnvFile(path: string): Environment {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // A file that exists but cannot be read must not be silently ignored.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  return parseEnv(text);
}

interface GivenValue {
  readonly name: string;
  readonly text: string;
}

export function readSettings(
  environment: Environment,
  readFile: (path: string) => string,
): Result<Settings, readonly string[]> {
  const complaints: string[] = [];

  function read<Value>(row: SettingRow<Value>): Value {
    const given = findGiven(row, environment, readFile, complaints);
    if (given === undefined) return row.fallback;
    const value = row.parse(given.text);
    if (value !== undefined) return value;
    complaints.push(`${given.name} is ${describeGiven(given.text, row)}; allowed: ${row.allowed}.`);
    return row.fallback;
  }

  const databaseUrl = read(SETTING_ROWS.databaseUrl);
  const settings: Settings = {
    port: read(SETTING_ROWS.port),
    host: read(SETTING_ROWS.host),
    databaseUrl,
    replicaUrls: read(SETTING_ROWS.replicaUrls),
    publicUrl: read(SETTING_ROWS.publicUrl),
    trustProxy: read(SETTING_ROWS.trustProxy),
    headerPrefix: read(SETTING_ROWS.headerPrefix),
    match: read(SETTING_ROWS.match),
    emptySlug: read(SETTING_ROWS.emptySlug),
    cacheMb: read(SETTING_ROWS.cacheMb),
    freshnessMs: read(SETTING_ROWS.freshnessMs),
    staleSeconds: read(SETTING_ROWS.staleSeconds),
    rateLimit: read(SETTING_ROWS.rateLimit),
    changesDays: read(SETTING_ROWS.changesDays),
    streamsPerKey: read(SETTING_ROWS.streamsPerKey),
    webhookAllow: read(SETTING_ROWS.webhookAllow),
    assetsUrl: read(SETTING_ROWS.assetsUrl),
    maxUploadMb: read(SETTING_ROWS.maxUploadMb),
    assetsKeepDays: read(SETTING_ROWS.assetsKeepDays),
    imageCache: read(SETTING_ROWS.imageCache),
    imageCacheDir: read(SETTING_ROWS.imageCacheDir),
    imageCacheMb: read(SETTING_ROWS.imageCacheMb),
    isAdminServed: read(SETTING_ROWS.isAdminServed),
    adminHosts: read(SETTING_ROWS.adminHosts),
    isDemoWanted: read(SETTING_ROWS.isDemoWanted) ?? databaseUrl.engine === 'sqlite',
    logLevel: read(SETTING_ROWS.logLevel),
    isAccessLogged: read(SETTING_ROWS.isAccessLogged),
    isMetricsServed: read(SETTING_ROWS.isMetricsServed),
    drainMs: read(SETTING_ROWS.drainMs),
  };
  if (complaints.length === 0 && settings.replicaUrls.length > 0 && databaseUrl.engine === 'sqlite') {
    complaints.push(
      `${SETTING_ROWS.replicaUrls.name} is set, but the database is SQLite; allowed: ${SETTING_ROWS.replicaUrls.allowed}.`,
    );
  }
  if (complaints.length === 0 && settings.imageCache === 'bucket' && settings.assetsUrl.kind === 'folder') {
    complaints.push(
      `${SETTING_ROWS.imageCache.name} is "bucket", but ${SETTING_ROWS.assetsUrl.name} is a folder; allowed: ${SETTING_ROWS.imageCache.allowed}.`,
    );
  }
  complaints.push(...findUnknownNames(environment));
  return complaints.length === 0 ? ok(Object.freeze(settings)) : fail(Object.freeze(complaints));
}

export function findGiven<Value>(
  row: SettingRow<Value>,
  environment: Environment,
  readFile: (path: string) => string,
  complaints: string[],
): GivenValue | undefined {
  const text = readText(environment, row.name);
  const fileName = `${row.name}_FILE`;
  const path = row.isSecret ? readText(environment, fileName) : undefined;
  if (text !== undefined && path !== undefined) {
    complaints.push(`${row.name} and ${fileName} are both set; only one of them is allowed.`);
    return undefined;
  }
  if (text !== undefined) return { name: row.name, text };
  if (path !== undefined) return readGivenFile(fileName, path, readFile, complaints);
  const aliasText = row.alias === undefined ? undefined : readText(environment, row.alias);
  return row.alias === undefined || aliasText === undefined ? undefined : { name: row.alias, text: aliasText };
}

function readGivenFile(
  name: string,
  path: string,
  readFile: (path: string) => string,
  complaints: string[],
): GivenValue | undefined {
  let text: string;
  try {
    text = readFile(path).trim();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    complaints.push(`${name} is ${quote(path)}, which cannot be read${reason}; allowed: the path of a readable file.`);
    return undefined;
  }
  if (text !== '') return { name, text };
  complaints.push(`${name} is ${quote(path)}, which is empty; allowed: the path of a file that contains the value.`);
  return undefined;
}

function readText(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === undefined || text === '' || isServiceLink(environment, name, text) ? undefined : text;
}

export function describeGiven<Value>(text: string, row: SettingRow<Value>): string {
  if (!row.isSecret) return quote(text.replace(/\/\/[^/]*@/, '//…@'));
  const scheme = /^(sqlite|postgres|postgresql|mysql|mariadb|sqlserver|mongodb|file|https?):/i.exec(text)?.[0] ?? '';
  return `"${scheme}…" (the rest is not shown)`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function findUnknownNames(environment: Environment): readonly string[] {
  const known = Object.values(SETTING_ROWS).flatMap((row) =>
    row.isSecret ? [row.name, `${row.name}_FILE`] : [row.name],
  );
  return Object.keys(environment)
    .filter((name) => name.startsWith('GALLEY_') && !known.includes(name))
    .filter((name) => readText(environment, name) !== undefined)
    .sort()
    .map((name) => `${name} is not a setting; did you mean ${findNearestName(name, known)}?`);
}

// Kubernetes sets variables with our prefix, such as GALLEY_PORT, in every pod to describe a Service named `galley`. They are not
// settings, and must not prevent the service from starting.
function isServiceLink(environment: Environment, name: string, text: string): boolean {
  if (environment.GALLEY_SERVICE_HOST === undefined) return false;
  return (
    /^GALLEY_(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/.test(name) ||
    (name === 'GALLEY_PORT' && /^(tcp|udp|sctp):\/\//.test(text))
  );
}

/** Returns the known name that is the fewest edits away from `name`, to suggest a correction for a typo. */
function findNearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = countEdits(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function countEdits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, right.length);
}

function at(cells: readonly number[], index: number): number {
  return cells[index] ?? Number.POSITIVE_INFINITY;
}

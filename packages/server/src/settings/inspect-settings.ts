// Lists the settings in readable form, each with its current value and its source.

import { describeGiven, type Environment, findGiven, readSettings } from './read-settings.ts';
import { type DatabaseUrl, SETTING_ROWS, type SettingRow, type Settings } from './setting-rows.ts';

export interface SettingFinding {
  readonly name: string;
  /** The value as text, without secrets. */
  readonly shown: string;
  /** `default`, or the variable and where it was set. */
  readonly source: string;
  /** A sentence that explains why the value is invalid. */
  readonly complaint: string | null;
}

export interface SettingsInspection {
  readonly findings: readonly SettingFinding[];
  /** Conflicts between settings, and unknown names. */
  readonly complaints: readonly string[];
  /** Undefined if the database URL is invalid. */
  readonly databaseUrl: DatabaseUrl | undefined;
  /** Undefined if any setting is invalid. */
  readonly settings: Settings | undefined;
}

export interface SettingSources {
  readonly environment: Environment;
  /** The variables in the `.env` file. The environment overrides them. */
  readonly envFile: Environment;
}

export function inspectSettings(sources: SettingSources, readFile: (path: string) => string): SettingsInspection {
  const environment = { ...sources.envFile, ...sources.environment };
  const findings = Object.values(SETTING_ROWS).map((row) =>
    inspectSetting<unknown>(row, environment, sources, readFile),
  );
  const settings = readSettings(environment, readFile);
  const known = new Set(findings.map(({ complaint }) => complaint));
  const complaints = settings.ok ? [] : settings.problem.filter((complaint) => !known.has(complaint));
  const given = findGiven(SETTING_ROWS.databaseUrl, environment, readFile, []);
  const isWrong = findings.some(({ name, complaint }) => name === SETTING_ROWS.databaseUrl.name && complaint !== null);
  const { fallback, parse } = SETTING_ROWS.databaseUrl;
  return {
    findings,
    complaints,
    databaseUrl: isWrong ? undefined : given === undefined ? fallback : parse(given.text),
    settings: settings.ok ? settings.value : undefined,
  };
}

function inspectSetting<Value>(
  row: SettingRow<Value>,
  environment: Environment,
  sources: SettingSources,
  readFile: (path: string) => string,
): SettingFinding {
  const complaints: string[] = [];
  const given = findGiven(row, environment, readFile, complaints);
  if (given !== undefined && row.parse(given.text) === undefined) {
    complaints.push(`${given.name} is ${describeGiven(given.text, row)}; allowed: ${row.allowed}.`);
  }
  const [complaint = null] = complaints;
  const shown = given === undefined ? row.default : showValue(given.text, row);
  return { name: row.name, shown, source: describeSource(given?.name, row.name, sources), complaint };
}

function describeSource(givenName: string | undefined, name: string, { environment }: SettingSources): string {
  if (givenName === undefined) return 'default';
  const place = environment[givenName] === undefined ? 'file .env' : 'environment';
  return givenName === name ? place : `${givenName} in the ${place}`;
}

/** The path of a SQLite database is not a secret. */
function showValue<Value>(text: string, row: SettingRow<Value>): string {
  return row.isSecret && !/^sqlite:/i.test(text) ? `${/^[a-z]+:\/\//i.exec(text)?.[0] ?? ''}… (not shown)` : text;
}

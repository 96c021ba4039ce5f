// The settings one by one, with the value in effect and its source, for people.

import { describeGiven, type Environment, findGiven, readSettings } from './read-settings.ts';
import { type DatabaseUrl, SETTING_ROWS, type SettingRow, type Settings } from './setting-rows.ts';

export interface SettingFinding {
  readonly name: string;
  /** The value as text, without what is secret. */
  readonly shown: string;
  /** `default`, or the variable and where it was set. */
  readonly source: string;
  /** What is wrong with it, in a sentence. */
  readonly complaint: string | null;
}

export interface SettingsInspection {
  readonly findings: readonly SettingFinding[];
  /** What is wrong with several settings together, and names that are no settings. */
  readonly complaints: readonly string[];
  /** Undefined where it is wrong. */
  readonly databaseUrl: DatabaseUrl | undefined;
  /** Undefined where any of them is wrong. */
  readonly settings: Settings | undefined;
}

export interface SettingSources {
  readonly environment: Environment;
  /** What the file `.env` says; the environment wins over it. */
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

/** The path of an embedded database is no secret. */
function showValue<Value>(text: string, row: SettingRow<Value>): string {
  return row.isSecret && !/^sqlite:/i.test(text) ? `${/^[a-z]+:\/\//i.exec(text)?.[0] ?? ''}… (not shown)` : text;
}

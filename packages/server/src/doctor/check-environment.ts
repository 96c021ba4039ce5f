// Checks the settings, and lists the value and source of each without revealing secrets. Also checks whether Node.js has the required
// features.

import crypto from 'node:crypto';
import zlib from 'node:zlib';
import type { SettingFinding, Settings, SettingsInspection } from '../settings.ts';
import { type Check, type CheckParts, ok, problem, warn } from './check.ts';

const PUBLIC_URL = 'GALLEY_PUBLIC_URL';

export function checkSettings({ findings, complaints, settings }: SettingsInspection): readonly Check[] {
  const isNameless = settings !== undefined && isReachedByUnknownName(settings);
  return [
    ...findings.map((finding) =>
      isNameless && finding.name === PUBLIC_URL ? adviseName(finding) : checkSetting(finding),
    ),
    ...complaints.map((complaint): Check => {
      const [name = ''] = complaint.split(' ');
      return { group: 'Settings', name, ...problem(dropName(complaint, name), 'Correct or remove it.') };
    }),
  ];
}

/** Whether other machines can reach the service, directly or through a proxy. They probably use a host name. */
function isReachedByUnknownName({ isAdminServed, publicUrl, adminHosts, host, trustProxy }: Settings): boolean {
  if (!isAdminServed || publicUrl !== null || adminHosts.length > 0) return false;
  return trustProxy !== 0 || host === '0.0.0.0' || host === '::';
}

function adviseName({ name, shown, source }: SettingFinding): Check {
  return {
    group: 'Settings',
    name,
    ...warn(
      `${shown} (${source}), so the panel is available only at IP addresses and localhost`,
      'Set it to the URL that people use, or list host names in GALLEY_ADMIN_HOSTS.',
    ),
  };
}

function checkSetting({ name, shown, source, complaint }: SettingFinding): Check {
  if (complaint === null) return { group: 'Settings', name, ...ok(`${shown} (${source})`) };
  return { group: 'Settings', name, ...problem(dropName(complaint, name), `Correct it where it is set: ${source}.`) };
}

/** Removes the name of the setting from the beginning of an error message, because the name has already been printed. */
function dropName(complaint: string, name: string): string {
  return complaint.startsWith(`${name} `) ? complaint.slice(name.length + 1) : complaint;
}

const LEAST_NODE = 24;

export function checkEnvironment(versions: Readonly<Record<string, string | undefined>>): readonly Check[] {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Environment', name, ...parts });
  return [check('Node.js', checkNode(versions.node ?? '0')), check('features', checkFeatures(versions))];
}

function checkNode(version: string): CheckParts {
  if (Number(version.split('.')[0]) >= LEAST_NODE) return ok(version);
  return problem(version, `Install Node.js ${LEAST_NODE} or newer.`);
}

function checkFeatures({ sqlite }: Readonly<Record<string, string | undefined>>): CheckParts {
  const features: readonly (readonly [name: string, isThere: boolean])[] = [
    ['SQLite', sqlite !== undefined],
    ['zstd', typeof zlib.zstdCompress === 'function'],
    ['brotli', typeof zlib.brotliCompress === 'function'],
    ['argon2', typeof crypto.argon2 === 'function'],
    ['UUIDv7', typeof crypto.randomUUIDv7 === 'function'],
  ];
  const missing = features.filter(([, isThere]) => !isThere).map(([name]) => name);
  if (missing.length > 0)
    return problem(`${missing.join(', ')} missing`, 'Install the latest Node.js 24 from nodejs.org.');
  return ok([`SQLite ${sqlite}`, ...features.slice(1).map(([name]) => name)].join(', '));
}

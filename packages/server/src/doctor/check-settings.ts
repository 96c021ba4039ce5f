// Every setting with its value and where it comes from; secrets are not shown.

import type { SettingFinding, Settings, SettingsInspection } from '../settings.ts';
import { type Check, ok, problem, warn } from './check.ts';

const PUBLIC_URL = 'GALLEY_PUBLIC_URL';

export function checkSettings({ findings, complaints, settings }: SettingsInspection): readonly Check[] {
  const isNameless = settings !== undefined && isReachedByUnknownName(settings);
  return [
    ...findings.map((finding) =>
      isNameless && finding.name === PUBLIC_URL ? adviseName(finding) : checkSetting(finding),
    ),
    ...complaints.map((complaint): Check => {
      const [name = ''] = complaint.split(' ');
      return { group: 'Settings', name, ...problem(dropName(complaint, name), 'Correct it, or take it away.') };
    }),
  ];
}

/** Others reach the service, by a proxy or directly, and most of them by a name. */
function isReachedByUnknownName({ isAdminServed, publicUrl, adminHosts, host, trustProxy }: Settings): boolean {
  if (!isAdminServed || publicUrl !== null || adminHosts.length > 0) return false;
  return trustProxy !== 0 || host === '0.0.0.0' || host === '::';
}

function adviseName({ name, shown, source }: SettingFinding): Check {
  return {
    group: 'Settings',
    name,
    ...warn(
      `${shown} (${source}), so the panel answers to IP addresses and localhost only`,
      'Set it to the address that people open, or list host names in GALLEY_ADMIN_HOSTS.',
    ),
  };
}

function checkSetting({ name, shown, source, complaint }: SettingFinding): Check {
  if (complaint === null) return { group: 'Settings', name, ...ok(`${shown} (${source})`) };
  return { group: 'Settings', name, ...problem(dropName(complaint, name), `Correct it where it is set: ${source}.`) };
}

/** Complaints are sentences that begin with the name, which stands in front of them already. */
function dropName(complaint: string, name: string): string {
  return complaint.startsWith(`${name} `) ? complaint.slice(name.length + 1) : complaint;
}

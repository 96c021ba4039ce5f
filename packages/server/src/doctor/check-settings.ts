// Every setting with its value and where it comes from; secrets are not shown.

import type { SettingFinding, SettingsInspection } from '../settings.ts';
import { type Check, ok, problem } from './check.ts';

export function checkSettings({ findings, complaints }: SettingsInspection): readonly Check[] {
  return [
    ...findings.map(checkSetting),
    ...complaints.map((complaint): Check => {
      const [name = ''] = complaint.split(' ');
      return { group: 'Settings', name, ...problem(dropName(complaint, name), 'Correct it, or take it away.') };
    }),
  ];
}

function checkSetting({ name, shown, source, complaint }: SettingFinding): Check {
  if (complaint === null) return { group: 'Settings', name, ...ok(`${shown} (${source})`) };
  return { group: 'Settings', name, ...problem(dropName(complaint, name), `Correct it where it is set: ${source}.`) };
}

/** Complaints are sentences that begin with the name, which stands in front of them already. */
function dropName(complaint: string, name: string): string {
  return complaint.startsWith(`${name} `) ? complaint.slice(name.length + 1) : complaint;
}

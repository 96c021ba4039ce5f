// Finds the browser for the browser tests. On Linux x64 it comes from npm and is the same for everyone. On other systems it is an
// installed Chromium or Chrome, preferably the headless shell, which uses a fifth less CPU time.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const SYSTEM_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export type Browser = { readonly kind: 'packaged' } | { readonly kind: 'installed'; readonly path: string };

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isExecutable: (path: string) => boolean;
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  arch: process.arch,
  environment: process.env,
  isExecutable,
};

/** Undefined if there is none. In that case the browser tests cannot run. */
export function findBrowser(machine: Machine = THIS_MACHINE): Browser | undefined {
  const { platform, arch, environment } = machine;
  const chosen = environment.GALLEY_TEST_BROWSER;
  if (chosen !== undefined && chosen !== '') return { kind: 'installed', path: chosen };
  if (platform === 'linux' && arch === 'x64') return { kind: 'packaged' };
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = [...candidates, ...SYSTEM_PATHS].find(machine.isExecutable);
  return path === undefined ? undefined : { kind: 'installed', path };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

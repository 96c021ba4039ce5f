import { describe, expect, test } from 'vitest';
import { findBrowser, type Machine } from './find-browser.ts';

const bare: Machine = {
  platform: 'linux',
  arch: 'arm64',
  environment: { PATH: '/usr/bin:/bin' },
  isExecutable: () => false,
};

describe('the browser for the tests', () => {
  test('comes from npm on Linux x64', () => {
    expect(findBrowser({ ...bare, arch: 'x64' })).toEqual({ kind: 'packaged' });
  });

  test('is an installed browser on other systems', () => {
    const machine = { ...bare, isExecutable: (path: string) => path === '/bin/chromium' };
    expect(findBrowser(machine)).toEqual({ kind: 'installed', path: '/bin/chromium' });
  });

  test('is the headless shell if that is installed', () => {
    const installed = ['/usr/bin/chromium', '/bin/chromium-headless-shell'];
    const machine = { ...bare, isExecutable: (path: string) => installed.includes(path) };
    expect(findBrowser(machine)).toEqual({ kind: 'installed', path: '/bin/chromium-headless-shell' });
  });

  test('is the one named in the environment, if any', () => {
    const machine = { ...bare, arch: 'x64', environment: { GALLEY_TEST_BROWSER: '/opt/chrome' } };
    expect(findBrowser(machine)).toEqual({ kind: 'installed', path: '/opt/chrome' });
  });

  test('is undefined if none is installed', () => {
    expect(findBrowser(bare)).toBeUndefined();
  });
});

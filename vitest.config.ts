import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './scripts/testing/closing-line-reporter.ts';
import { findBrowser } from './scripts/testing/find-browser.ts';

/** What runs on PostgreSQL: its own tests, and those of the service that any database must pass. */
const ON_POSTGRES = [
  'postgres/**/*.test.ts',
  'conformance/**/*.test.ts',
  'http/{random-lists,leak,walk-under-change}.test.ts',
  'management/{content,gone-for-good,overview}.test.ts',
];

/** Has the machine to itself: it is about time, and keeps many processes busy. */
const FLEET = 'packages/server/test/postgres/fleet/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['scripts/testing/temporary-folder.ts'],
    reporters: ['default', new ClosingLineReporter()],
    pool: 'forks',
    // Many tests wait for processes of their own; one after the other they would take half as long again.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          testTimeout: 10_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['packages/*/test/browser/**', 'packages/server/test/postgres/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration-postgres',
          include: ON_POSTGRES.map((path) => `packages/server/test/${path}`),
          exclude: [FLEET],
          globalSetup: ['packages/server/test/support/provide-postgres.ts'],
          env: { TEST_ENGINE: 'postgres' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'fleet', include: [FLEET], sequence: { groupOrder: 1 } },
      },
      ...listBrowserProjects(),
    ],
  },
});

/** The browser tests need a browser; where there is none, that is said and not passed over in silence. */
function listBrowserProjects() {
  if (findBrowser() === undefined) {
    process.stderr.write(
      'No Chromium was found on this machine, and npm brings none for it: the browser tests are left out.\n' +
        'Install Chromium or name one in GALLEY_TEST_BROWSER to run them.\n',
    );
    return [];
  }
  const test = {
    name: 'browser',
    include: ['packages/*/test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A page takes as long as the machine lets it.
    expect: { poll: { timeout: 10_000 } },
  };
  return [{ extends: true as const, test }];
}

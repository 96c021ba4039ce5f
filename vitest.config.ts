import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './scripts/testing/closing-line-reporter.ts';
import { findBrowser } from './scripts/testing/find-browser.ts';

/** What runs on PostgreSQL: its own tests, and those of the service that any database must pass. */
const ON_POSTGRES = [
  'postgres/**/*.test.ts',
  'conformance/**/*.test.ts',
  'http/{random-lists,leak,walk-under-change}.test.ts',
  'management/{content,delete-*,gone-for-good,overview}.test.ts',
];

const FLEET = 'packages/server/test/postgres/fleet/**/*.test.ts';
const FIRST_SCREEN = 'packages/admin/test/browser/first-screen.test.ts';
const CACHE_MEMORY = 'packages/server/test/proof/cache-memory.test.ts';

const BROWSER_PROJECT = {
  extends: true as const,
  test: {
    name: 'browser',
    include: ['packages/*/test/browser/**/*.test.ts'],
    exclude: [FIRST_SCREEN],
    globalSetup: ['scripts/testing/packaged-browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A page takes as long as the machine lets it.
    expect: { poll: { timeout: 10_000 } },
  },
};

/** The browser tests need a browser; where there is none, that is said and not passed over in silence. */
const HAS_BROWSER = findBrowser() !== undefined;
if (!HAS_BROWSER) {
  process.stderr.write(
    'No Chromium was found on this machine, and npm brings none for it: the browser tests are left out.\n' +
      'Install Chromium or name one in GALLEY_TEST_BROWSER to run them.\n',
  );
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/testing/temporary-folder.ts'],
    reporters: ['default', new ClosingLineReporter()],
    pool: 'forks',
    // Many tests wait for processes of their own; one for each core would leave the cores idle.
    maxWorkers: 3,
    // Loading what is tested takes longer than most tests: a worker loads it once. No test changes what modules keep.
    isolate: false,
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
          exclude: ['packages/*/test/browser/**', 'packages/server/test/postgres/**', CACHE_MEMORY],
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
      // They are about time and memory: one after the other, each has the machine to itself.
      {
        extends: true,
        test: {
          name: 'alone',
          include: [FLEET, CACHE_MEMORY, ...(HAS_BROWSER ? [FIRST_SCREEN] : [])],
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
      ...(HAS_BROWSER ? [BROWSER_PROJECT] : []),
    ],
  },
});

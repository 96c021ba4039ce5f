// A test's folder and suffix say which run it belongs to; CONTRIBUTING.md explains them. `npm test` runs the projects `unit`,
// `integration` and `browser`, `npm run test:full` runs `full`, and `npm run proof` runs `proof`.

import { defineConfig } from 'vitest/config';
import { findBrowser } from './scripts/testing/find-browser.ts';
import { RunSummaryReporter } from './scripts/testing/run-summary-reporter.ts';

const LATER = '**/*.{full,proof}.test.ts';
const IN_BROWSER = 'packages/*/test/browser/**';

/** These limits only stop tests that hang. They leave room for machines that other programs slow down severalfold for minutes. */
const TEST_TIMEOUT_MS = process.env.PROOF === 'full' ? 7_200_000 : 600_000;
const POLL_TIMEOUT_MS = 120_000;

/** If there is no browser, the run reports that instead of passing silently. */
const withoutBrowser = findBrowser() === undefined ? [IN_BROWSER] : [];
if (withoutBrowser.length > 0) {
  process.stderr.write(
    'The browser tests will not run: npm has no Chromium for this machine, and none is installed.\n' +
      'Install Chromium, or set GALLEY_TEST_BROWSER to the path of one.\n',
  );
}

function defineRun(name: string, include: readonly string[], exclude: readonly string[]) {
  return { extends: true as const, test: { name, include: [...include], exclude: [...exclude] } };
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/testing/temporary-folder.ts', 'packages/server/test/support/shared-resources.ts'],
    setupFiles: ['scripts/testing/fail-on-warnings.ts'],
    reporters: ['default', new RunSummaryReporter()],
    pool: 'forks',
    // Many tests wait for processes they have started. With one worker per core, the cores would often be idle.
    maxWorkers: 3,
    // Concurrent tests start programs. If more of these tests ran in parallel, every program would take several times as long.
    maxConcurrency: 2,
    // Loading the code takes longer than most tests, so each worker loads it only once. No test changes module state.
    isolate: false,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: POLL_TIMEOUT_MS } },
    projects: [
      defineRun('unit', ['packages/*/src/**/*.test.{ts,tsx}', '{scripts,bench}/**/*.test.ts'], [LATER]),
      defineRun('integration', ['packages/*/test/**/*.test.ts'], [LATER, IN_BROWSER]),
      defineRun('browser', ['packages/*/test/browser/**/*.test.ts'], [LATER, ...withoutBrowser]),
      defineRun('full', ['{packages,scripts,bench}/**/*.full.test.ts'], ['**/node_modules/**', ...withoutBrowser]),
      {
        extends: true,
        test: {
          name: 'proof',
          include: ['packages/*/test/proof/*/**/*.{full,proof}.test.ts'],
          // A proof may measure time and memory. It has the machine to itself, and no garbage of earlier tests to collect.
          fileParallelism: false,
          isolate: true,
        },
      },
    ],
  },
});

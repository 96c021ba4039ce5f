// Defines which tests each project runs. `npm test` runs the `unit`, `integration`, `integration-postgres` and
// `browser` projects, and must take less than five minutes on two cores. `npm run test:full` runs the projects whose
// names begin with `full` or `alone`. `npm run proof` runs some of them at full size.

import { defineConfig } from 'vitest/config';
import { findBrowser } from './scripts/testing/find-browser.ts';
import { RunSummaryReporter } from './scripts/testing/run-summary-reporter.ts';

const SERVER = 'packages/server/test';
const PANEL = 'packages/admin/test/browser';

/** The proofs (short versions), the attacks, the packaging tests, and tests that start many processes or handle a lot of content. */
const FULL = [
  'scripts/testing/{packaged-browser,run-summary-reporter}.test.ts',
  'packages/*/test/{packaging,types}/**/*.test.ts',
  `${SERVER}/{build,proof,security,webhooks}/**/*.test.ts`,
  `${SERVER}/cli/{backup,deletion,doctor,export,files,health,import,loaded-packages,npm-start,preview,running-server,serve,serve-workers,setup-link,sites-and-keys}.test.ts`,
  `${SERVER}/cli/{tokens,traffic-of-workers,types,usage,user-create,webhooks}.test.ts`,
  `${SERVER}/docs/first-site.test.ts`,
  `${SERVER}/http/{cache-crossing,cache-other-process,leak,metrics,random-lists,walk-under-change}.test.ts`,
  `${SERVER}/import/{any-order,large-import,many-at-once,memory,preparation-thread,round-trip,round-trip-random}.test.ts`,
  `${SERVER}/{changes/{many-writers,random-mirror},management/{large-calls,lifecycle-walk,random-changes,resumable-uploads},storage/filtered-lists}.test.ts`,
  'packages/server/src/{asset-delivery/{new-variants,random-requests,serve-from-bucket,serve-images},files/{bucket-store,copy-files,file-store,folder-store},http/drain}.test.ts',
  'packages/server/src/{images/{image-processes,random-images},uploads/{hostile-uploads,take-file}}.test.ts',
];

/** Tests of packages that are packed and installed as users install them. */
const PACKED = ['packages/{server,create-galley}/test/packaging/**/*.test.ts'];

/** The tests that any database engine must pass, and those specific to PostgreSQL. */
const ON_POSTGRES = [
  `${SERVER}/conformance/**/*.test.ts`,
  `${SERVER}/management/{asset-settings,content,create-content,delete-*,discard-changes,url-clashes,idempotency,overview,refused-uploads,required-fields,uploads,webhooks}.test.ts`,
  `${SERVER}/postgres/{contract,engine}.test.ts`,
];
const FULL_ON_POSTGRES = [
  `${SERVER}/{changes,webhooks}/*.test.ts`,
  `${SERVER}/files/*.test.ts`,
  `${SERVER}/import/large-import.test.ts`,
  `${SERVER}/http/{random-lists,leak,walk-under-change}.test.ts`,
  `${SERVER}/management/{asset-folders,asset-library,asset-list,failed-schedules,gone-for-good,if-match,large-calls,preview-settings,public-generation,random-changes,render,resumable-uploads,share-links,webhook-calls}.test.ts`,
  `${SERVER}/proof/{mirrors,webhooks}.test.ts`,
  `${SERVER}/{postgres/*,storage/{filtered-lists,numbered-pages}}.test.ts`,
  // Attacks whose outcome depends on the database.
  `${SERVER}/security/on-any-engine/**/*.test.ts`,
];

/** The main workflows in the panel and the explorers. */
const STORIES = [`${SERVER}/browser/{explorer,launch-browser}.test.ts`, `${PANEL}/whole-story.test.ts`];
const BROWSER = 'packages/*/test/browser/**/*.test.ts';
const FRONT_END_PREVIEW = 'packages/create-galley/test/packaging/*preview.test.ts';

/** What editors see of operations whose outcome depends on the database: URLs that are taken, discarded changes, failed schedules. */
const BROWSER_ON_POSTGRES = `${PANEL}/{edit-content,failed-schedules,urls-and-slugs}.test.ts`;

/** These tests measure time or memory, or run a whole fleet. They run one after the other, so that each has the machine to itself. */
const MEASURED = `${SERVER}/{import/memory,proof/{cache-memory,draft-saves,freshness,render-time,schedules,streams,upload-memory,uploads},security/{cleaning,floods,hunt/expensive-requests,large-answers,on-any-engine/long-lists,sign-in-time,unread-answers}}.test.ts`;
const MEASURED_ON_POSTGRES = `${SERVER}/{postgres/{coherence,outage,replicas,stream-fleet},proof/draft-saves,security/on-any-engine/long-lists}.test.ts`;
const MEASURED_PACKED = 'packages/create-galley/test/packaging/panel-preview.test.ts';
const MEASURED_IN_BROWSER = `${PANEL}/{first-screen,preview-latency}.test.ts`;
const ALONE = [`${SERVER}/postgres/fleet/**/*.test.ts`, MEASURED];

/** If there is no browser, the run reports that instead of passing silently. */
const HAS_BROWSER = findBrowser() !== undefined;
if (!HAS_BROWSER) {
  process.stderr.write(
    'The browser tests will not run: npm has no Chromium for this machine, and none is installed.\n' +
      'Install Chromium, or set GALLEY_TEST_BROWSER to the path of one.\n',
  );
}

interface ProjectOptions {
  readonly exclude?: readonly string[];
  readonly globalSetup?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Groups run one after the other, lowest number first. */
  readonly group?: number;
  /** Whether the project's files run one after the other. */
  readonly isSerial?: boolean;
}

/**
 * These limits only stop tests that hang. Working tests take far less time, even on a machine that other programs slow down severalfold
 * for minutes, so no test sets a shorter limit.
 */
const TEST_TIMEOUT_MS = process.env.PROOF === 'full' ? 7_200_000 : 600_000;
const POLL_TIMEOUT_MS = 120_000;

function defineTests(name: string, include: readonly string[], options: ProjectOptions = {}) {
  const { exclude = [], globalSetup = [], env = {}, group = 0, isSerial = false } = options;
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...exclude],
      globalSetup: [...globalSetup],
      env: { ...env },
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: POLL_TIMEOUT_MS } },
      sequence: { groupOrder: group },
      fileParallelism: !isSerial,
      // A test that measures time or memory must not have to collect the garbage of earlier tests.
      isolate: isSerial,
    },
  };
}

const WITH_POSTGRES = { globalSetup: [`${SERVER}/support/provide-postgres.ts`], env: { TEST_ENGINE: 'postgres' } };
const WITH_BROWSER = { globalSetup: ['scripts/testing/packaged-browser.ts'] };

const PACKAGES = ['scripts/packing/provide-packages.ts', ...WITH_BROWSER.globalSetup];

const browserProjects = [
  defineTests('alone-packed', [MEASURED_PACKED], { group: 4, isSerial: true, globalSetup: PACKAGES }),
  defineTests('browser', STORIES, WITH_BROWSER),
  defineTests('full-browser', [BROWSER], { ...WITH_BROWSER, exclude: [...STORIES, MEASURED_IN_BROWSER] }),
  defineTests('full-browser-postgres', [BROWSER_ON_POSTGRES], {
    ...WITH_POSTGRES,
    globalSetup: [...WITH_POSTGRES.globalSetup, ...WITH_BROWSER.globalSetup],
  }),
];

export default defineConfig({
  test: {
    globalSetup: ['scripts/testing/temporary-folder.ts'],
    reporters: ['default', new RunSummaryReporter()],
    pool: 'forks',
    // Many tests wait for processes they have started. With one worker per core, the cores would often be idle.
    maxWorkers: 3,
    // Concurrent tests start programs. If more of these tests ran in parallel, every program would take several times as long.
    maxConcurrency: 2,
    // Loading the code takes longer than most tests, so each worker loads it only once. No test changes module state. Tests that measure
    // time or memory have workers of their own.
    isolate: false,
    projects: [
      defineTests('unit', ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'], {
        exclude: FULL,
      }),
      defineTests('integration', ['packages/*/test/**/*.test.ts'], {
        exclude: [...FULL, BROWSER, `${SERVER}/postgres/**`],
      }),
      defineTests('integration-postgres', ON_POSTGRES, WITH_POSTGRES),
      defineTests('full', FULL, { exclude: [MEASURED, ...PACKED] }),
      defineTests('full-packed', PACKED, {
        globalSetup: PACKAGES,
        exclude: [HAS_BROWSER ? MEASURED_PACKED : FRONT_END_PREVIEW],
      }),
      defineTests('full-postgres', FULL_ON_POSTGRES, {
        ...WITH_POSTGRES,
        exclude: [...ON_POSTGRES, MEASURED_ON_POSTGRES],
      }),
      defineTests('alone', [...ALONE, ...(HAS_BROWSER ? [MEASURED_IN_BROWSER] : [])], { group: 2, isSerial: true }),
      defineTests('alone-postgres', [MEASURED_ON_POSTGRES], { ...WITH_POSTGRES, group: 3, isSerial: true }),
      ...(HAS_BROWSER ? browserProjects : []),
    ],
  },
});

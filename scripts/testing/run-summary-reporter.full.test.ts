import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const REPORTER = pathToFileURL(join(import.meta.dirname, 'run-summary-reporter.ts')).href;
const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const PASSING = "test('a', () => {}); test('b', () => {});";

test('a real run with every kind of failure ends with the correct counts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-summary-'));
  const files = {
    'vitest.config.ts': `import { RunSummaryReporter } from '${REPORTER}';
export default { test: { globals: true, reporters: ['default', new RunSummaryReporter()] } };`,
    'passing.test.ts': PASSING,
    'failing.test.ts': `${PASSING} test('c', () => { expect(1).toBe(2); });`,
    'broken.test.ts': "throw new Error('broken');",
    'hook.test.ts': `${PASSING} afterAll(() => { throw new Error('broken'); });`,
    'outside.test.ts': `${PASSING} Promise.reject(new Error('lost'));`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stdout } = spawnSync(process.execPath, [VITEST, 'run', '--root', folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('8 passed, 4 failed');
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const REPORTER = pathToFileURL(join(import.meta.dirname, 'run-summary-reporter.ts')).href;
const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const PASSING = "test('a', () => {}); test('b', () => {});";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-summary-'));
  const config = `import { RunSummaryReporter } from '${REPORTER}';
export default { test: { globals: true, reporters: ['default', new RunSummaryReporter()] } };`;
  writeFileSync(join(folder, 'vitest.config.ts'), config);
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['tests that pass', PASSING, 0, '2 passed, 0 failed'],
  ['a test that fails', `${PASSING} test('c', () => { expect(1).toBe(2); });`, 1, '2 passed, 1 failed'],
  ['a file that cannot be loaded', "throw new Error('broken');", 1, '0 passed, 1 failed'],
  ['a hook that fails', `${PASSING} afterAll(() => { throw new Error('broken'); });`, 1, '2 passed, 1 failed'],
  ['an error outside the tests', `${PASSING} Promise.reject(new Error('lost'));`, 1, '2 passed, 1 failed'],
])('prints the correct counts on the last line after %s', (_, source, status, line) => {
  writeFileSync(join(folder, 'some.test.ts'), source);
  const run = runTests();
  expect(run.status).toBe(status);
  expect(run.stdout.trimEnd().split('\n').at(-1)).toBe(line);
});

test('lists the ten slowest files, slowest first', () => {
  for (let number = 1; number <= 11; number += 1) writeFileSync(join(folder, `quick-${number}.test.ts`), PASSING);
  const slow = "test('waits', () => new Promise((resolve) => setTimeout(resolve, 1_000)));";
  writeFileSync(join(folder, 'slow.test.ts'), slow);
  const [, list = ''] = runTests().stdout.split('The ten slowest test files:\n');
  const files = [...list.matchAll(/^ +\d+\.\d s {2}(\S+)/gm)].map(([, file]) => file);
  expect(files).toHaveLength(10);
  expect(files[0]).toBe('slow.test.ts');
});

function runTests() {
  return spawnSync(process.execPath, [VITEST, 'run', '--root', folder], { encoding: 'utf8' });
}

// Prints the last lines of a test run. The ten slowest files come first, so that nobody has to search for them when the suite becomes slow.
// The last line is `N passed, N failed`, for tools that count tests. Everything that makes the run fail counts as a failure, including a
// file that cannot be loaded and an error outside the tests.

import type { Reporter, TestModule } from 'vitest/node';

const SLOWEST = 10;

export class RunSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const lines = [...formatSlowestFiles(modules), formatClosingLine(modules, unhandledErrors.length)];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

function formatSlowestFiles(modules: readonly TestModule[]): readonly string[] {
  if (modules.length <= SLOWEST) return [];
  const times = modules.map((module) => ({ module, seconds: measureSeconds(module) }));
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const rows = slowest.map(
    ({ module, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${module.relativeModuleId} (${module.project.name})`,
  );
  return ['The ten slowest test files:', ...rows, ''];
}

function measureSeconds(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return (setupDuration + collectDuration + duration) / 1000;
}

function formatClosingLine(modules: readonly TestModule[], unhandledErrors: number): string {
  let passed = 0;
  let failed = unhandledErrors;
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const failedTests = states.filter((state) => state === 'failed').length;
    passed += states.filter((state) => state === 'passed').length;
    failed += failedTests === 0 && !module.ok() ? 1 : failedTests;
  }
  return `${passed} passed, ${failed} failed`;
}

// Prints `N passed, N failed` on a line of its own when a run is over, for whoever counts tests by reading the output.
// Whatever makes the run fail is counted as a failure: also a file that cannot be loaded, and an error outside of tests.

import type { Reporter, TestModule } from 'vitest/node';

export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    process.stdout.write(`${formatClosingLine(modules, unhandledErrors.length)}\n`);
  }
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

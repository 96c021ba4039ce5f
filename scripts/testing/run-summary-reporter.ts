// Prints the last lines of a test run: where the time went, how much of the run's time budget is left, and `N passed, N failed`, for
// tools that count tests.

import type { Reporter, TestModule } from 'vitest/node';
import { type FileSummary, formatSummary } from './format-summary.ts';

export class RunSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const files = modules.map(summarise);
    // npm names the script that it runs.
    const run = { script: process.env.npm_lifecycle_event, seconds: process.uptime() };
    process.stdout.write(`${formatSummary(files, unhandledErrors.length, run).join('\n')}\n`);
  }
}

function summarise(module: TestModule): FileSummary {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  const states = [...module.children.allTests()].map((test) => test.result().state);
  return {
    path: module.relativeModuleId,
    project: module.project.name,
    seconds: (setupDuration + collectDuration + duration) / 1000,
    passed: states.filter((state) => state === 'passed').length,
    failed: states.filter((state) => state === 'failed').length,
    isOk: module.ok(),
  };
}

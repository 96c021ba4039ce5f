// A warning of Node.js fails the run: it reports a leak, or an API that is about to change.

declare global {
  var isWatchingForWarnings: true | undefined;
}

/** Vitest loads this file again before each test file, and each worker runs many of them. */
if (!globalThis.isWatchingForWarnings) {
  globalThis.isWatchingForWarnings = true;
  process.on('warning', ({ name, message, stack }) => {
    // An unhandled error fails the run, and Vitest prints it.
    if (name !== 'ExperimentalWarning') void Promise.reject(new Error(`Node.js warns: ${stack ?? message}`));
  });
}

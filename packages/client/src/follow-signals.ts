// One signal that follows several. AbortSignal.any does the same, but is missing from runtimes that the library supports.

export interface Followed {
  readonly controller: AbortController;
  /** Takes the listeners off the signals again. */
  release(): void;
}

export type MaybeSignal = AbortSignal | null | undefined;

export function followSignals(signals: readonly MaybeSignal[]): Followed {
  const controller = new AbortController();
  const releases = signals.map((signal) => {
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    return () => signal?.removeEventListener('abort', abort);
  });
  return {
    controller,
    release: () => {
      for (const release of releases) release();
    },
  };
}

// Combines several signals into one. AbortSignal.any does the same, but some supported runtimes do not have it. Each signal gets only one
// listener for all calls, because Node.js 20 warns about more than ten.

export type MaybeSignal = AbortSignal | null | undefined;

const FOLLOWERS = new WeakMap<AbortSignal, Set<AbortController>>();

/** @returns a function that stops following the signals; once no call follows a signal, its listener is removed */
export function followSignals(signals: readonly MaybeSignal[], controller: AbortController): () => void {
  for (const signal of signals) {
    if (!signal) continue;
    if (signal.aborted) controller.abort(signal.reason);
    FOLLOWERS.set(signal, (FOLLOWERS.get(signal) ?? new Set()).add(controller));
    signal.addEventListener('abort', endFollowers);
  }
  return () => {
    for (const signal of signals) {
      const followers = signal && FOLLOWERS.get(signal);
      followers?.delete(controller);
      if (!followers?.size) signal?.removeEventListener('abort', endFollowers);
    }
  };
}

function endFollowers(this: AbortSignal): void {
  for (const controller of FOLLOWERS.get(this) ?? []) controller.abort(this.reason);
}

// One signal that follows several. AbortSignal.any does the same, but is missing from runtimes that the library supports.
// However many calls follow a signal, it has one listener: Node.js 20 warns of more than ten.

export type MaybeSignal = AbortSignal | null | undefined;

const FOLLOWERS = new WeakMap<AbortSignal, Set<AbortController>>();

/** @returns ends it; whoever is the last to do so takes the listener off the signal */
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

// Signals that ask the process to stop. The first one stops it gently, another one at once.

export interface StopSignalOptions {
  readonly signals: readonly NodeJS.Signals[];
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly stopAtOnce: (signal: NodeJS.Signals) => void;
  /** How long further signals count as the first one. */
  readonly echoMs?: number | undefined;
}

/** Ctrl+C reaches everybody in a terminal, and npm passes on what it gets: one wish may arrive twice. */
const ECHO_MS = 500;

/** The returned function takes the listeners away again. */
export function installStopSignals(options: StopSignalOptions): () => void {
  const { signals, stop, stopAtOnce, echoMs = ECHO_MS } = options;
  let firstAt: number | undefined;

  function onSignal(signal: NodeJS.Signals): void {
    if (firstAt === undefined) {
      firstAt = performance.now();
      stop(signal);
    } else if (performance.now() - firstAt >= echoMs) {
      stopAtOnce(signal);
    }
  }

  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

// Stopping without losing a request: nothing new is accepted, requests under way are finished and told to close their
// connections, idle connections go at once, and whatever is left after ten seconds is cut off.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { installStopSignals } from './stop-signals.ts';

/** What one server knows about its own end. */
export interface DrainState {
  isDraining: boolean;
  /** One for each address that it is bound to; `localhost` has two. */
  readonly servers: Set<Server>;
  readonly connections: Set<Socket>;
}

export function createDrainState(): DrainState {
  return { isDraining: false, servers: new Set(), connections: new Set() };
}

export interface ShutdownOptions {
  readonly server: FastifyInstance;
  readonly drain: DrainState;
  readonly log: Logger;
  /** Runs first: what waits for something that may take long can give up. */
  readonly onStopping?: () => void;
  /** Closes what requests needed, such as the database; runs when the last request is done. */
  readonly onClosed?: () => Promise<void> | void;
  readonly signals?: readonly NodeJS.Signals[];
  readonly hardStopMs?: number;
  readonly echoMs?: number;
}

export interface Shutdown {
  /** Drains and closes; does not end the process. */
  readonly stop: () => Promise<void>;
  /** Takes the signal listeners away again. */
  readonly uninstall: () => void;
}

const UNUSED_GRACE_MS = 500;
/** Requests in flight get this long to finish, and closing what they used gets this long after them. */
export const HARD_STOP_MS = 10_000;
export const STUCK_CLOSE_MS = 2_000;

export function installShutdown(options: ShutdownOptions): Shutdown {
  const { server, drain, log, onStopping, onClosed, signals = ['SIGTERM', 'SIGINT'] } = options;
  const { hardStopMs = HARD_STOP_MS, echoMs } = options;
  let stopping: Promise<void> | undefined;

  function stop(): Promise<void> {
    stopping ??= drainAndClose();
    return stopping;
  }

  async function drainAndClose(): Promise<void> {
    drain.isDraining = true;
    onStopping?.();
    // Closed here and not by Fastify, which would take its time before it stops accepting.
    const closed = [...drain.servers].map((each) => new Promise((resolve) => each.close(resolve)));
    // Node counts a connection that never sent a byte as busy; browsers and load balancers open them ahead of need.
    // The moment is for those whose first request is already on its way.
    const closeUnused = setTimeout(() => destroyWhere(drain, (socket) => socket.bytesRead === 0), UNUSED_GRACE_MS);
    const hardStop = setTimeout(() => {
      log.warn({ connections: drain.connections.size }, 'requests were cut off, they took too long to stop');
      destroyWhere(drain, () => true);
    }, hardStopMs);
    await Promise.all(closed);
    clearTimeout(closeUnused);
    clearTimeout(hardStop);
    await server.close();
    await onClosed?.();
  }

  function onSignal(signal: NodeJS.Signals): void {
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('closing did not end');
      process.exit(1);
    }, hardStopMs + STUCK_CLOSE_MS).unref();
    stop().then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  }

  function stopAtOnce(signal: NodeJS.Signals): void {
    log.warn({ signal }, 'stopped at once');
    process.exit(0);
  }

  const uninstall = installStopSignals({ signals, stop: onSignal, stopAtOnce, echoMs });
  return { stop, uninstall };
}

function destroyWhere(drain: DrainState, isDoomed: (socket: Socket) => boolean): void {
  for (const socket of drain.connections) {
    if (isDoomed(socket)) socket.destroy();
  }
}

// Stops the service without losing a request. First it keeps serving requests, but reports that it is not ready and tells clients to
// close their connections, so load balancers send requests elsewhere. Then it stops listening and closes idle connections. Requests in
// flight get ten seconds to finish; after that, they are cut off and logged.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { readLoggedPath } from './request-target.ts';
import { findResponse } from './wait-for-turn.ts';

/** The drain state of one server. */
export interface DrainState {
  isDraining: boolean;
  /** One for each address that the server is bound to; `localhost` has two. */
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
  /** How long the service keeps accepting connections. Load balancers need this time to notice that it is stopping. */
  readonly drainMs?: number;
  /** Runs when the service stops listening. Pending work can now be abandoned. */
  readonly onStopping?: () => void;
  /** Closes resources such as the database. Runs after the last request has finished. */
  readonly onClosed?: () => Promise<void> | void;
  readonly signals?: readonly NodeJS.Signals[];
  readonly hardStopMs?: number;
  readonly echoMs?: number;
}

export interface Shutdown {
  /** Drains and closes the server; does not end the process. */
  readonly stop: () => Promise<void>;
  /** Removes the signal listeners. */
  readonly uninstall: () => void;
}

const UNUSED_GRACE_MS = 500;
/** The interval for closing connections whose last response was sent without `Connection: close`. */
const IDLE_CHECK_MS = 50;
/** The maximum number of cut-off responses listed in the log. */
const MOST_NAMED = 20;
/** Requests in flight get this long to finish. Their resources are then closed, with the same time limit. */
export const HARD_STOP_MS = 10_000;
export const STUCK_CLOSE_MS = 1_500;

export function installShutdown(options: ShutdownOptions): Shutdown {
  const { server, drain, log, onStopping, onClosed, signals = ['SIGTERM', 'SIGINT'] } = options;
  const { drainMs = 0, hardStopMs = HARD_STOP_MS, echoMs } = options;
  let stopping: Promise<void> | undefined;

  function stop(): Promise<void> {
    stopping ??= drainAndClose();
    return stopping;
  }

  async function drainAndClose(): Promise<void> {
    drain.isDraining = true;
    if (drainMs > 0) await delay(drainMs);
    onStopping?.();
    // We close the servers ourselves, because Fastify would wait before it stops accepting connections.
    const closed = [...drain.servers].map(
      (each) => new Promise((resolve) => withUnsentSpared(drain, () => each.close(resolve))),
    );
    const closeIdle = setInterval(
      () => withUnsentSpared(drain, () => drain.servers.forEach((each) => void each.closeIdleConnections())),
      IDLE_CHECK_MS,
    );
    // Node counts a connection as busy if its client has never sent a byte; browsers and load balancers open such connections in advance.
    // The short delay allows for connections whose first request is already on its way.
    const closeUnused = setTimeout(() => destroyWhere(drain, (socket) => socket.bytesRead === 0), UNUSED_GRACE_MS);
    const hardStop = setTimeout(() => {
      const answers = [...drain.connections].map(describeAnswer).filter((answer) => answer !== undefined);
      log.warn(
        { connections: drain.connections.size, answers: answers.slice(0, MOST_NAMED) },
        'requests were cut off because they took too long to finish',
      );
      destroyWhere(drain, () => true);
    }, hardStopMs);
    await Promise.all(closed);
    clearInterval(closeIdle);
    clearTimeout(closeUnused);
    clearTimeout(hardStop);
    await server.close();
    await onClosed?.();
  }

  function onSignal(signal: NodeJS.Signals): void {
    log.info({ signal }, 'stopping');
    setTimeout(
      () => {
        log.error('shutdown timed out');
        process.exit(1);
      },
      drainMs + hardStopMs + STUCK_CLOSE_MS,
    ).unref();
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
    log.warn({ signal }, 'stopped immediately');
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

/**
 * Protects unsent responses: Node counts a connection as idle once the whole response has been written to it, even if the response has
 * not been sent yet.
 */
function withUnsentSpared({ connections }: DrainState, closeIdle: () => void): void {
  const spared = [...connections].filter((socket) => socket.writableLength > 0);
  for (const socket of spared) socket.destroy = () => socket;
  closeIdle();
  for (const socket of spared) Reflect.deleteProperty(socket, 'destroy');
}

/** Describes the response in flight on a connection; undefined if there is none. */
function describeAnswer(socket: Socket): Readonly<Record<string, unknown>> | undefined {
  const request = findResponse(socket)?.req;
  if (request === undefined) return undefined;
  return { method: request.method, path: readLoggedPath(request), unsentBytes: socket.writableLength };
}

export interface StopSignalOptions {
  readonly signals: readonly NodeJS.Signals[];
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly stopAtOnce: (signal: NodeJS.Signals) => void;
  /** Further signals within this time are treated as part of the first one. */
  readonly echoMs?: number | undefined;
}

/** Ctrl+C reaches every process in a terminal, and npm also forwards signals, so one key press may arrive twice. */
const ECHO_MS = 500;

/** The first signal stops the process gracefully, a second one immediately. The returned function removes the listeners. */
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

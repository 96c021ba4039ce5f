// A node in the fleet: `galley serve` at an address that stays the same across restarts.

import { findFreePort } from '../../../../../scripts/testing/find-free-port.ts';
import { type CommandOptions, type RunningServer, startServer } from '../../support/galley-command.ts';

export class FleetNode implements AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly #options: CommandOptions;
  #server: RunningServer;
  readonly #errors: string[] = [];
  #awayUntil = 0;

  private constructor(name: string, options: CommandOptions, server: RunningServer) {
    this.name = name;
    this.url = server.url;
    this.#options = options;
    this.#server = server;
  }

  static async start(name: string, options: CommandOptions): Promise<FleetNode> {
    const port = await findFreePort();
    return new FleetNode(name, options, await startServer(options, ['--port', String(port)]));
  }

  /** Whether the node has been down at any point since `time`. */
  wasAwaySince(time: number): boolean {
    return this.#awayUntil >= time;
  }

  /** @returns the exit status of the process */
  async restart(): Promise<number | null> {
    this.#awayUntil = Number.POSITIVE_INFINITY;
    const { status } = await this.#server.stop();
    this.#errors.push(...listErrors(this.#server));
    this.#server = await startServer(this.#options, ['--port', new URL(this.url).port]);
    this.#awayUntil = performance.now();
    return status;
  }

  /** The node's state as seen by a load balancer and a monitoring system. */
  async readHealth(): Promise<{ readonly code: number; readonly status: unknown }> {
    const response = await fetch(`${this.url}/readyz`);
    const body: unknown = await response.json();
    const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined;
    return { code: response.status, status };
  }

  /** The values of a metric, one per label combination. */
  async readMetric(name: string): Promise<readonly number[]> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return lines.map((line) => Number(line.slice(line.lastIndexOf(' '))));
  }

  /** Unexpected log messages from all runs of the node. */
  get errors(): readonly string[] {
    return [...this.#errors, ...listErrors(this.#server)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** An unavailable database is not the node's fault, whether it refuses a connection or drops one in the middle of a read. */
function listErrors({ log }: RunningServer): readonly string[] {
  const isError = (line: string): boolean => /"level":"(error|fatal)"/.test(line);
  const isOutage = (line: string): boolean => /"type":"(StorageUnavailable|ConnectionLost)"/.test(line);
  return log.map((line) => JSON.stringify(line)).filter((line) => isError(line) && !isOutage(line));
}

// Hears of new moments on a connection of its own. It is a hint: where nothing is heard, because the connection is cut
// or a pooler passes nothing on, they are found a little later.

import type { Client } from 'pg';
import { createClient, cutClient } from './connections.ts';
import { LISTEN_FOR_MOMENTS } from './moments.ts';

const LONGEST_CONNECT_MS = 2000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

export class MomentListener {
  readonly #url: string;
  readonly #onMoment: () => void;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isUp = false;
  #isClosed = false;

  /** @param onMoment is also called when it may have missed some */
  constructor(url: string, onMoment: () => void) {
    this.#url = url;
    this.#onMoment = onMoment;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  start(): void {
    const client = createClient(this.#url, LONGEST_CONNECT_MS);
    this.#client = client;
    client.on('notification', this.#onMoment);
    client.once('end', () => this.#startAgain());
    this.#listen(client).catch(() => cutClient(client));
  }

  async #listen(client: Client): Promise<void> {
    await client.connect();
    await client.query(LISTEN_FOR_MOMENTS);
    this.#isUp = true;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#onMoment();
  }

  #startAgain(): void {
    this.#isUp = false;
    if (this.#isClosed) return;
    // Nodes that lost the server together do not come back together.
    this.#timer = setTimeout(() => this.start(), this.#pauseMs * (0.5 + Math.random() / 2));
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Begins anew, on another connection. */
  cut(): void {
    if (this.#client !== undefined) cutClient(this.#client);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.cut();
  }
}

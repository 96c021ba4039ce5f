// A proxy between a node and a server. It simulates network faults: delays, cut connections, refused connections, and silence.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The proxy stops when this object goes out of scope. */
export interface FaultProxy extends AsyncDisposable {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** The number of open connections. */
  readonly connections: number;
  /** Delays everything the server sends from now on. */
  delay(ms: number): void;
  /** Holds back everything the server sends from now on, until the returned function is called. */
  hold(): () => void;
  /** Closes the open connections. */
  cut(): void;
  /** Closes the open connections and accepts no new ones. */
  refuse(): Promise<void>;
  /** Accepts connections but forwards nothing; existing connections stay silent forever. */
  silence(): void;
  /** New connections work again. */
  restore(): Promise<void>;
}

/** @param serverUrl the URL of the server behind the proxy */
export async function startFaultProxy(serverUrl: string): Promise<FaultProxy> {
  const target = new URL(serverUrl);
  const pairs = new Set<Pair>();
  let isSilent = false;
  let delayMs = 0;
  let held: Promise<void> | undefined;

  const listener = createServer((near) => {
    const pair = openPair(near);
    pairs.add(pair);
    near.once('close', () => pairs.delete(pair));
  });
  const port = await listen(listener, 0);

  function openPair(near: Socket): Pair {
    const pair: Pair = { near, far: undefined, isDead: isSilent };
    near.on('error', () => {});
    if (isSilent) {
      near.resume();
      return pair;
    }
    const far = connect(Number(target.port), target.hostname);
    pair.far = far;
    far.on('error', () => {});
    pass(pair, near, far, () => undefined);
    pass(pair, far, near, () => held ?? (delayMs === 0 ? undefined : pause(delayMs)));
    return pair;
  }

  function pass(pair: Pair, from: Socket, to: Socket, findDelay: () => Promise<void> | undefined): void {
    let late = 0;
    let lastSent = Promise.resolve();
    const send = (act: () => void): void => {
      if (pair.isDead) return;
      const isTime = findDelay();
      if (isTime === undefined && late === 0) {
        act();
        return;
      }
      // Later data never overtakes delayed data.
      late += 1;
      lastSent = lastSent.then(async () => {
        await isTime;
        late -= 1;
        if (!pair.isDead) act();
      });
    };
    from.on('data', (chunk) => send(() => to.write(chunk)));
    from.on('close', () => send(() => to.destroy()));
  }

  function cut(): void {
    for (const { near, far } of pairs) {
      near.destroy();
      far?.destroy();
    }
  }

  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    get connections() {
      return pairs.size;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    cut,
    refuse: async () => {
      const closed = once(listener, 'close');
      listener.close();
      cut();
      await closed;
    },
    silence: () => {
      isSilent = true;
      for (const pair of pairs) {
        pair.isDead = true;
        pair.far?.destroy();
      }
    },
    restore: async () => {
      isSilent = false;
      if (!listener.listening) await listen(listener, port);
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      if (!listener.listening) return;
      listener.close();
      await once(listener, 'close');
    },
  };
}

interface Pair {
  readonly near: Socket;
  far: Socket | undefined;
  isDead: boolean;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return readPort(server.address());
}

export function readPort(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server URL has no port');
  return address.port;
}

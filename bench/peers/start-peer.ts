// Starts a peer that serves the given articles.

import { once } from 'node:events';
import { findFreePort } from '../../scripts/testing/find-free-port.ts';
import { recordAnswer } from '../recorded-answer.ts';
import type { Scratch } from '../scratch.ts';
import type { Peer } from './peer.ts';
import { PeerFailure, readIds, spawnInFolder } from './peer-folder.ts';

export interface RunningPeer {
  readonly origin: string;
  readonly pid: number | undefined;
  readonly ids: readonly string[];
  readonly stop: () => Promise<void>;
}

const MOST_START_MS = 3 * 60_000;
const LOOK_EVERY_MS = 250;

export async function startPeer(scratch: Scratch, peer: Peer, folder: string): Promise<RunningPeer> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const { child, lastLines } = spawnInFolder(scratch, peer, folder, peer.start(port), port);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const until = Date.now() + MOST_START_MS;
  while (!(await isListening(origin))) {
    if (child.exitCode !== null) throw new PeerFailure(`It exited before it responded:\n${lastLines()}`);
    if (Date.now() > until) {
      await stop();
      throw new PeerFailure(`It did not respond within ${MOST_START_MS / 60_000} minutes:\n${lastLines()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  try {
    await peer.furnish?.(origin, folder);
    const ids = readIds(folder);
    for (const path of [peer.objectPath(ids[0] ?? ''), peer.listPath(1)])
      await recordAnswer({ origin, headers: {} }, path);
    return { origin, pid: child.pid, ids, stop };
  } catch (error) {
    await stop();
    const message = error instanceof Error ? error.message : String(error);
    throw new PeerFailure(`${message}\n${lastLines()}`, { cause: error });
  }
}

async function isListening(origin: string): Promise<boolean> {
  try {
    await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}

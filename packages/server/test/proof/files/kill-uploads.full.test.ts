// Kills a service repeatedly while it receives files. After each restart, every asset has either the last acknowledged file or the one
// that was being sent, the file's bytes are in the store, and `galley doctor` finds nothing wrong.

import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManagedAssetBody, ManagementPageBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { createManagementToken } from '../../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts';
import { importText } from '../../import/export-database.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { makeFolder, type RunningServer, runGalley, startServer } from '../../support/galley-command.ts';
import { siteRecord, toLines } from '../../support/small-site.ts';

const ROUNDS = proofSize(4, 50);
const CALLERS = 4;
/** The service is killed after at most this many responses, while the next files are being sent. */
const MOST_ANSWERED = 20;
const PATH = '/manage/v1/sites/s_small/assets';

/** The digests that an asset's file may have, the acknowledged one first. */
type Knowledge = Map<string, readonly string[]>;

test('kill -9 during uploads and replacements loses no acknowledged file', async () => {
  await using folder = await makeFolder();
  const options = { cwd: folder.path, env: { GALLEY_DEMO: 'false' } };
  const token = await prepare(folder.path);
  const known: Knowledge = new Map();
  const counts = { acknowledged: 0, cutOff: 0 };
  for (let round = 0; round <= ROUNDS; round += 1) {
    await using server = await startServer(options);
    await settle(server, token, folder.path, known);
    if (round < ROUNDS) await uploadUntilKilled(server, token, known, counts);
  }
  const doctor = await runGalley(['doctor'], options);
  expect([doctor.status, doctor.stdout]).toEqual([0, expect.not.stringContaining('✗')]);
  expect(counts.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
  reportProof(
    `kill -9 during uploads: ${ROUNDS} kills; ${counts.acknowledged} acknowledged uploads and replacements, 0 lost; ` +
      `${counts.cutOff} cut off`,
  );
});

async function prepare(folder: string): Promise<string> {
  const storage = await openSqlite(join(folder, 'data/galley.db'), Date.now());
  try {
    await importText(storage, folder, toLines([siteRecord()]));
    const { token } = await createManagementToken(createDesk(storage), COMMAND_ACTOR, {
      name: 'Proof',
      role: 'owner',
      expiresAt: null,
    });
    return token;
  } finally {
    await storage.close();
  }
}

/** Checks all assets, and records the outcome of interrupted calls. */
async function settle(server: RunningServer, token: string, folder: string, known: Knowledge): Promise<void> {
  const found = new Map<string, string>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`${server.url}${PATH}?limit=100${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page: ManagementPageBody<ManagedAssetBody> = JSON.parse(await response.text());
    for (const { id, path } of page.data) found.set(id, path.split('/')[3] ?? '');
    cursor = page.next_cursor;
  }
  for (const [id, digests] of known) {
    const version = found.get(id);
    const digest = digests.find((each) => each.slice(0, 16) === version);
    if (digest === undefined) throw new Error(`Asset ${id} has lost its file: ${version} instead of ${digests}`);
    const bytes = await readFile(join(folder, 'data/assets/files', digest.slice(0, 2), digest));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
    known.set(id, [digest]);
  }
}

async function uploadUntilKilled(
  { url, stop }: RunningServer,
  token: string,
  known: Knowledge,
  counts: { acknowledged: number; cutOff: number },
): Promise<void> {
  let isAlive = true;
  let left = randomInt(1, MOST_ANSWERED + 1);
  const enough = Promise.withResolvers<void>();
  const earlier = [...known.keys()];
  async function upload(caller: number): Promise<void> {
    // Each caller replaces only its own assets, so at most one call for an asset is in flight.
    const own = earlier.filter((_, index) => index % CALLERS === caller);
    while (isAlive) {
      const id = Math.random() < 0.5 ? own[randomInt(Math.max(own.length, 1))] : undefined;
      const bytes = randomBytes(randomInt(1, 200_000));
      const digest = createHash('sha256').update(bytes).digest('hex');
      const [certain = ''] = id === undefined ? [] : (known.get(id) ?? []);
      if (id !== undefined) known.set(id, [certain, digest]);
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'random.bin');
      const answer = await send(id === undefined ? `${url}${PATH}` : `${url}${PATH}/${id}/file`, {
        method: id === undefined ? 'POST' : 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      if (answer === undefined) {
        counts.cutOff += 1;
        return;
      }
      known.set(answer.id, [digest]);
      counts.acknowledged += 1;
      left -= 1;
      if (left === 0) enough.resolve();
    }
  }
  const uploading = Promise.all(Array.from({ length: CALLERS }, (_, caller) => upload(caller)));
  await Promise.race([enough.promise, uploading]);
  await stop('SIGKILL');
  isAlive = false;
  await uploading;
}

/** Returns undefined if the service died before it responded. */
async function send(url: string, init: RequestInit): Promise<ManagedAssetBody | undefined> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${init.method} ${url} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  } catch (error) {
    // A broken connection causes a TypeError.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

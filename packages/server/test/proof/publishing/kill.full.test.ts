// Kills a service repeatedly while it publishes. After each restart, everything it acknowledged must be present and intact. Every value
// of an object identifies the save it comes from, so a mixture of two saves would be detected.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../../../src/content/api-token.ts';
import { buildId } from '../../../src/content/ids.ts';
import { MAIN_ACCOUNT_NO } from '../../../src/storage/accounts/accounts.ts';
import { insertManagementToken } from '../../../src/storage/accounts/management-tokens.ts';
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts';
import { content, contentType, site } from '../../conformance/records.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { makeFolder, type RunningServer, runForJson, runGalley, startServer } from '../../support/galley-command.ts';
import { toLines } from '../../support/small-site.ts';
import { findDatabaseFaults } from '../find-database-faults.ts';
import { type Access, type Mark, readMarks, readMarksByFilter } from '../read-marks.ts';

const ROUNDS = proofSize(6, 200);
const SITE = 's_kill';
const IDS = Array.from({ length: 8 }, (_, index) => `c_${index}`);
/** The number of calls in flight when the service is killed. */
const CALLERS = 4;
/** The service is killed after at most this many responses, while the next calls are in flight. */
const MOST_ANSWERED = 30;
const ENV = { GALLEY_DEMO: 'false' };

/** The known state of an object: what readers last saw, and the changes that unanswered calls may have made. */
interface Knowledge {
  readonly certain: Mark;
  readonly possible: readonly Mark[];
}

interface Counts {
  acknowledged: number;
  cutOff: number;
  /** Calls that were interrupted but took effect. */
  doneUnsaid: number;
}

describe('kill -9 while content is being published', () => {
  test('loses no acknowledged change, and leaves no change incomplete', async () => {
    await using folder = await makeFolder();
    const options = { cwd: folder.path, env: ENV };
    const bundle = join(folder.path, 'start.ndjson');
    await writeFile(bundle, toLines(buildStart()));
    const imported = await runGalley(['import', bundle], options);
    expect([imported.status, imported.stderr]).toEqual([0, '']);
    const access = await createAccess(folder.path);

    const known = new Map<string, Knowledge>(IDS.map((id) => [id, { certain: 0, possible: [] }]));
    const counts: Counts = { acknowledged: 0, cutOff: 0, doneUnsaid: 0 };
    const marks = countFrom(1);
    for (let round = 0; round <= ROUNDS; round++) {
      await using server = await startServer(options);
      await settle(known, { ...access, url: server.url }, counts, `round ${round}`);
      expect(findDatabaseFaults(join(folder.path, 'data/galley.db')), `round ${round}`).toEqual([]);
      if (round < ROUNDS) await publishUntilKilled(server, access, known, marks, counts);
    }
    expect(counts.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
    expect(counts.cutOff).toBeGreaterThan(0);
    reportProof(
      `kill -9: ${ROUNDS} kills; ${counts.acknowledged} acknowledged publishes and unpublishes, 0 lost, 0 incomplete; ` +
        `${counts.cutOff} calls cut off, of which ${counts.doneUnsaid} had been carried out`,
    );
  });
});

function buildStart(): readonly object[] {
  const options = [{ label: 'A', value: 'a' }];
  const fields = [
    { handle: 'line', type: 'text' },
    { handle: 'rank', type: 'number' },
    { handle: 'kind', type: 'option', options },
    { handle: 'related', type: 'content_links' },
  ];
  const contents = IDS.map((id) => content({ id, site: SITE, content_type: 'note', ...buildValues(0) }));
  return [site(SITE), contentType(SITE, 'note', fields), ...contents];
}

/** Values that all contain the mark used to find the object. */
function buildValues(mark: number) {
  const link = IDS[mark % IDS.length] ?? '';
  return {
    name: `Mark ${mark}`,
    fields: {
      line: { text: `line ${mark}` },
      rank: { number: mark },
      kind: { selected_option: 'a' },
      related: { content_links: [link] },
    },
  };
}

async function createAccess(folder: string): Promise<Omit<Access, 'url'> & { readonly managementToken: string }> {
  const { token } = (await runForJson(['key', 'create', '--all-sites'], { cwd: folder, env: ENV })) as {
    token: string;
  };
  const managementToken = buildToken('management', randomBytes(TOKEN_BYTES));
  const storage = await openSqlite(join(folder, 'data/galley.db'), Date.now());
  const row = {
    id: buildId('managementToken', randomUUIDv7()),
    accountNo: MAIN_ACCOUNT_NO,
    name: 'Proof',
    role: 'editor',
    tokenHash: hashToken(managementToken),
    prefix: shortenToken(managementToken),
    createdAt: Date.now(),
    expiresAt: null,
    makerKind: 'command',
    makerId: null,
  } as const;
  await storage.transaction((transaction) => transaction.run(insertManagementToken(row)));
  await storage.close();
  return { siteId: SITE, key: token, managementToken };
}

/**
 * Each object must be as its last acknowledged call left it, or as an interrupted call would have left it. Records the state
 * found as the known state.
 */
async function settle(known: Map<string, Knowledge>, access: Access, counts: Counts, round: string): Promise<void> {
  const shown = await readMarks(access, IDS);
  for (const [id, { certain, possible }] of known) {
    const mark = shown.get(id);
    expect([certain, ...possible], `${round}, ${id}`).toContain(mark);
    if (mark !== certain) counts.doneUnsaid += 1;
    known.set(id, { certain: mark ?? null, possible: [] });
  }
  expect(await readMarksByFilter(access, shown), round).toEqual(shown);
}

/** The callers divide the objects among themselves, so each object has at most one call in flight. */
async function publishUntilKilled(
  server: RunningServer,
  access: { readonly managementToken: string },
  known: Map<string, Knowledge>,
  marks: Iterator<number, never>,
  counts: Counts,
): Promise<void> {
  let isAlive = true;
  let left = Math.ceil(Math.random() * MOST_ANSWERED);
  const enough = Promise.withResolvers<void>();
  async function call(caller: number): Promise<void> {
    const own = IDS.filter((_, index) => index % CALLERS === caller);
    for (let turn = 0; isAlive; turn++) {
      const id = own[turn % own.length] ?? '';
      const { certain } = known.get(id) ?? { certain: null };
      const mark = certain !== null && Math.random() < 0.2 ? null : marks.next().value;
      known.set(id, { certain, possible: [mark] });
      const isDone = await change(server.url, access.managementToken, id, mark);
      if (!isDone) {
        counts.cutOff += 1;
        return;
      }
      counts.acknowledged += 1;
      known.set(id, { certain: mark, possible: [] });
      left -= 1;
      if (left === 0) enough.resolve();
    }
  }
  const calls = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  await Promise.race([enough.promise, calls]);
  await server.stop('SIGKILL');
  isAlive = false;
  await calls;
}

/** Saves and publishes, or unpublishes. Returns false if the service died before it responded. */
async function change(url: string, token: string, id: string, mark: Mark): Promise<boolean> {
  const place = `${url}/manage/v1/sites/${SITE}/content/${id}`;
  try {
    if (mark === null) await send(token, 'POST', `${place}/unpublish`, { confirm: true });
    else {
      const { version } = await send(token, 'GET', place);
      const saved = await send(token, 'PUT', place, { version, ...buildValues(mark) });
      await send(token, 'POST', `${place}/publish`, { version: saved.version });
    }
    return true;
  } catch (error) {
    // A broken connection. If the service rejects the call, that is a different error.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function send(token: string, method: string, url: string, body?: object): Promise<{ readonly version: number }> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${url} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}

function* countFrom(start: number): Generator<number, never> {
  for (let next = start; ; next++) yield next;
}

// How long writes wait while another process imports a bundle. A node that waits less serves as the clock: when its write is refused,
// that much time has passed for everyone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { insertAccount, selectAccountById } from '../../src/storage/accounts/accounts.ts';
import { ImportRunning, StorageUnavailable } from '../../src/storage/engine.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

const OTHER_PROCESS = fileURLToPath(new URL('other-process.ts', import.meta.url));
const USUAL_MS = 100;

describe.each(ENGINES)('a write during an import by another process, on %s', (engine) => {
  const resources = new AsyncDisposableStack();
  let database: TestDatabase;
  /** Imports and writes in the same process, through its own connection. */
  let other: Storage;
  /** Waits longer for an import than the test runs. */
  let patient: Storage;
  /** Waits three times as long for an import as for any other write. */
  let impatient: Storage;

  beforeAll(async () => {
    database = resources.adopt(await createTestDatabase(engine), (each) => each.remove());
    [other, patient, impatient] = [await open(), await open(), await open(3 * USUAL_MS)];
  });

  afterAll(() => resources.disposeAsync());

  async function open(importMs = 600_000): Promise<Storage> {
    const patience = { usualMs: USUAL_MS, importMs };
    return resources.adopt(await openStorage(database.url, Date.now(), { patience }), (each) => each.close());
  }

  /** Other writes wait until `end` is called. */
  async function hold(isImport: boolean, by = other) {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const held = by.transaction(
      () => {
        entered.resolve();
        return gate.promise;
      },
      { isImport },
    );
    await Promise.race([entered.promise, held]);
    const end = (): Promise<void> => {
      gate.resolve();
      return held;
    };
    return { end };
  }

  function add(storage: Storage, id: string): Promise<number> {
    return storage.transaction((transaction) => transaction.run(insertAccount(id, id, 0)));
  }

  /** Resolves when a waiting write has waited for many times the usual time. */
  async function awaitRefusals(): Promise<void> {
    for (const _ of [1, 2]) await expect(add(impatient, 'o_refused')).rejects.toBeInstanceOf(ImportRunning);
  }

  /** Checks that a write is refused without mentioning an import, and accepted once the other write has ended. */
  async function expectUsualRefusal(id: string): Promise<void> {
    const { end } = await hold(false);
    const refusal = await add(patient, 'o_refused').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageUnavailable);
    expect(refusal).not.toBeInstanceOf(ImportRunning);
    expect(String(refusal)).toContain('lock');
    await end();
    await add(patient, id);
  }

  test('waits longer than for any other write, and succeeds when the import has ended, even if its process was killed', async () => {
    const child = spawn(process.execPath, [OTHER_PROCESS, JSON.stringify(database.url), 'import'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    let isSettled = false;
    const written = add(patient, 'o_late').finally(() => {
      isSettled = true;
    });
    await awaitRefusals();
    expect(await patient.read(selectAccountById('o_late'))).toBeUndefined();
    expect(isSettled).toBe(false);
    child.kill('SIGKILL');
    await written;
    expect(await patient.read(selectAccountById('o_late'))).toMatchObject({ name: 'o_late' });
    await expectUsualRefusal('o_after_killed');
  });

  test('is rejected, with the import as the reason, after the maximum wait, along with all other waiting writes', async () => {
    const { end } = await hold(true);
    let isOver = false;
    const writes = Promise.allSettled(Array.from({ length: 20 }, (_, no) => add(impatient, `o_${no}`))).finally(() => {
      isOver = true;
    });
    // This node's writes wait one after the other.
    const node = await open(3 * USUAL_MS);
    let refusals = 0;
    for (; !isOver; refusals += 1) await expect(add(node, 'o_again')).rejects.toBeInstanceOf(ImportRunning);
    expect(await writes).toEqual(
      Array.from({ length: 20 }, () => ({ status: 'rejected', reason: expect.any(ImportRunning) })),
    );
    // If all writes waited one after the other, there would be about twenty of these.
    expect(refusals).toBeLessThan(10);
    await end();
    await add(impatient, 'o_d');
    await expectUsualRefusal('o_after_ended');
  });

  test('also waits for the second of two imports', async () => {
    const { end } = await hold(true);
    const next = await open();
    const waiting = hold(true, next);
    await end();
    const second = await waiting;
    let isSettled = false;
    const written = add(patient, 'o_second').finally(() => {
      isSettled = true;
    });
    await awaitRefusals();
    expect(isSettled).toBe(false);
    await second.end();
    await written;
  });

  test('does not delay a process that is shutting down', async () => {
    const { end } = await hold(true);
    const storage = await open();
    const writes = Promise.allSettled([add(storage, 'o_a'), add(storage, 'o_b')]);
    storage.stopWaiting();
    expect((await writes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await end();
  });
});

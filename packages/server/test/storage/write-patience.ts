// Tests how long writes wait while another process imports a bundle, on the engine under test.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DatabaseUrl } from '../../src/settings.ts';
import { insertAccount, selectAccountById } from '../../src/storage/accounts/accounts.ts';
import { ImportRunning, StorageUnavailable } from '../../src/storage/engine.ts';
import type { EngineOptions } from '../../src/storage/postgres/open-postgres.ts';
import type { Storage } from '../../src/storage/storage.ts';

const OTHER_PROCESS = fileURLToPath(new URL('other-process.ts', import.meta.url));

export function describeWritePatience(
  getUrl: () => DatabaseUrl,
  openWith: (options: EngineOptions) => Promise<Storage>,
): void {
  describe('a write during an import by another process', () => {
    let other: Storage;

    beforeEach(async () => {
      other = await open();
    });

    function open(usualMs = 200, importMs = 60_000): Promise<Storage> {
      return openWith({ patience: { usualMs, importMs } });
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

    async function startImport(): Promise<ChildProcess> {
      const child = spawn(process.execPath, [OTHER_PROCESS, JSON.stringify(getUrl()), 'import'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      return child;
    }

    test('waits longer than it would for any other write, and succeeds when the import has ended', async () => {
      const child = await startImport();
      const storage = await open();
      let isSettled = false;
      const written = add(storage, 'o_late').finally(() => {
        isSettled = true;
      });
      // Reads continue for many times the usual waiting time.
      const until = performance.now() + 600;
      while (performance.now() < until) {
        expect(await storage.read(selectAccountById('o_late'))).toBeUndefined();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(isSettled).toBe(false);
      child.stdin?.end();
      await written;
      expect(await storage.read(selectAccountById('o_late'))).toMatchObject({ name: 'o_late' });
    });

    test('is rejected, with the import as the reason, after the maximum wait, along with all other waiting writes', async () => {
      const { end } = await hold(true);
      const storage = await open(100, 600);
      const start = performance.now();
      const writes = await Promise.allSettled(Array.from({ length: 20 }, (_, no) => add(storage, `o_${no}`)));
      expect(writes).toEqual(Array.from(writes, () => ({ status: 'rejected', reason: expect.any(ImportRunning) })));
      expect(performance.now() - start).toBeGreaterThanOrEqual(600);
      // All writes wait at the same time. One after the other, they would take 12 seconds.
      expect(performance.now() - start).toBeLessThan(11_500);
      await end();
      await add(storage, 'o_d');
    });

    test('is rejected after the usual time if the other write is not an import, even if an import ran earlier', async () => {
      await (await hold(true)).end();
      const { end } = await hold(false);
      const refusal = await add(await open(), 'o_a').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StorageUnavailable);
      expect(refusal).not.toBeInstanceOf(ImportRunning);
      await end();
    });

    test('ignores an import whose process has been killed', async () => {
      const child = await startImport();
      child.kill('SIGKILL');
      await once(child, 'exit');
      const storage = await open();
      await add(storage, 'o_a');
      const { end } = await hold(false);
      expect(await add(storage, 'o_b').catch((error: unknown) => error)).not.toBeInstanceOf(ImportRunning);
      await end();
    });

    test('also waits for the second of two imports', async () => {
      const { end } = await hold(true);
      const next = await open();
      const storage = await open();
      const waiting = hold(true, next);
      await end();
      const second = await waiting;
      let isSettled = false;
      const written = add(storage, 'o_late').finally(() => {
        isSettled = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 500));
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
}

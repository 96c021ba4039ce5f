import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SqliteEngine } from './sqlite-engine.ts';

test('a request never uses a snapshot that was opened before the event loop last checked for requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-engine-'));
  const path = join(folder, 'content.db');
  const engine = new SqliteEngine(path, undefined);
  const otherProcess = new DatabaseSync(path);
  otherProcess.exec('create table anything (no integer)');
  const server = createServer().listen(0);
  const client = connect((server.address() as AddressInfo).port);
  const [socket] = await once(server, 'connection');
  const stampOfRequest = new Promise<number>((resolve) => {
    socket.once('data', () => resolve(engine.peekStamp()));
  });

  await setImmediate();
  const earlier = engine.peekStamp();
  otherProcess.exec('insert into anything values (1)');
  client.write('a request');

  expect(await stampOfRequest).not.toBe(earlier);
  client.destroy();
  server.close();
  otherProcess.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

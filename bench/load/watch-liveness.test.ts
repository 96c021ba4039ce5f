import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { Scratch } from '../scratch.ts';
import { watchLiveness } from './watch-liveness.ts';

test('measures in a process that the service cannot block, and reports the longest wait since the last call', async () => {
  const server = createServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const scratch = new Scratch();
  try {
    const origin = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
    const watch = await watchLiveness(scratch, origin, 0.05);
    holdUp(400);
    expect(await watch.takeLongest()).toBeGreaterThan(350);
    await expect.poll(() => watch.takeLongest()).toBeLessThan(350);
    watch.stop();
  } finally {
    scratch.close();
    server.close();
  }
});

/** Blocks the process. */
function holdUp(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

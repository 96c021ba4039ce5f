import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTemporaryFile } from './temporary-file.ts';
import { type DigestThread, openDigestThread } from './upload-digest.ts';
import { MEGABYTE, openUploads, RULES, split, type Uploads } from './uploads.fixture.ts';

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('the digest of an upload', () => {
  let uploads: Uploads;

  beforeAll(async () => {
    uploads = await openUploads('folder');
  });

  afterAll(() => uploads[Symbol.asyncDispose]());

  async function receive(bytes: Buffer): Promise<unknown> {
    await using file = await openTemporaryFile(uploads.tools);
    return await file.receive(split(bytes), RULES.mostBytes);
  }

  test.each([0, 1, 4 * MEGABYTE, 4 * MEGABYTE + 1])('is correct for %i bytes', async (length) => {
    const bytes = randomBytes(length);
    expect(await receive(bytes)).toEqual({ sha256: digestOf(bytes), bytes: length });
  });

  test('is correct for each of several simultaneous uploads', async () => {
    const contents = [5, 9, 13].map((count) => randomBytes(count * MEGABYTE + count));
    expect(await Promise.all(contents.map(receive))).toEqual(
      contents.map((bytes) => ({ sha256: digestOf(bytes), bytes: bytes.length })),
    );
  });
});

describe('the thread that hashes uploads', () => {
  let folder: string;
  let thread: DigestThread;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'digest-'));
    thread = openDigestThread();
  });

  afterEach(async () => {
    await thread.close();
    await rm(folder, { recursive: true });
  });

  async function write(name: string, bytes: Buffer): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  test('reads each byte once', async () => {
    const bytes = randomBytes(3 * MEGABYTE);
    const path = await write('a', bytes);
    expect(await thread.do({ path, bytes: 2 * MEGABYTE, isLast: false })).toEqual({ kind: 'begun' });
    await write('a', Buffer.concat([Buffer.alloc(2 * MEGABYTE), bytes.subarray(2 * MEGABYTE)]));
    const last = { path, bytes: bytes.length, isLast: true };
    expect(await thread.do(last)).toEqual({ kind: 'finished', sha256: digestOf(bytes) });
  });

  test('forgets abandoned uploads, and reads a forgotten file again from the start', async () => {
    const path = await write('a', Buffer.from('before'));
    await thread.do({ path, bytes: 3, isLast: false });
    for (let number = 0; number < 200; number++) {
      await thread.do({ path: await write(String(number), Buffer.from('other')), bytes: 3, isLast: false });
    }
    const changed = Buffer.from('after!');
    await write('a', changed);
    const last = { path, bytes: changed.length, isLast: true };
    expect(await thread.do(last)).toEqual({ kind: 'finished', sha256: digestOf(changed) });
  });

  test('says what is wrong with a file that it cannot read', async () => {
    const path = join(folder, 'missing');
    expect(await thread.do({ path, bytes: 1, isLast: true })).toEqual({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('ENOENT') }),
    });
    const short = await write('short', Buffer.from('ab'));
    expect(await thread.do({ path: short, bytes: 3, isLast: true })).toEqual({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('has only 2 bytes instead of 3') }),
    });
  });
});

import type { ManagedAssetBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { ApiError, ConnectionError } from '../../api/api-error.ts';
import { openUploads, type Sending, type SentUpload, type Uploads } from './open-uploads.ts';
import { buildAsset } from './test-asset.ts';

interface Call {
  readonly upload: SentUpload;
  readonly sending: Sending;
  readonly finish: (asset: ManagedAssetBody) => void;
  readonly fail: (error: Error) => void;
}

/** A service that responds when the test tells it to. */
function openService(): { readonly uploads: Uploads; readonly calls: Call[] } {
  const calls: Call[] = [];
  const uploads = openUploads({
    send: (upload, sending) =>
      new Promise((finish, fail) => {
        calls.push({ upload, sending, finish, fail });
      }),
    read: async (_site, asset) => buildAsset(asset),
  });
  return { uploads, calls };
}

function addFiles(uploads: Uploads, count: number, onDone?: (asset: ManagedAssetBody) => void): void {
  uploads.add(
    Array.from({ length: count }, (_, index) => ({
      site: 's_press',
      file: new File(['12345'], `${index + 1}.jpg`),
      target: { kind: 'new' as const, folder: '' },
      ...(onDone === undefined ? {} : { onDone }),
    })),
  );
}

function states(uploads: Uploads): readonly string[] {
  return uploads.read().map(({ state }) => state.name);
}

test('sends three files at a time, and starts the next when one finishes', async () => {
  const { uploads, calls } = openService();
  addFiles(uploads, 5);
  expect(calls.map(({ upload }) => upload.file.name)).toEqual(['1.jpg', '2.jpg', '3.jpg']);
  calls[1]?.finish(buildAsset('a_2'));
  await expect.poll(() => calls).toHaveLength(4);
  expect(states(uploads)).toEqual(['sending', 'done', 'sending', 'sending', 'waiting']);
});

test('reports progress and the finished asset', async () => {
  const { uploads, calls } = openService();
  const done: string[] = [];
  addFiles(uploads, 1, ({ id }) => done.push(id));
  calls[0]?.sending.onProgress(3);
  expect(uploads.read()[0]?.state).toEqual({ name: 'sending', sent: 3 });
  calls[0]?.finish(buildAsset('a_1'));
  await expect.poll(() => done).toEqual(['a_1']);
});

test('cancelling aborts the request, ignores its response, and starts the next file', async () => {
  const { uploads, calls } = openService();
  const done: string[] = [];
  addFiles(uploads, 4, ({ id }) => done.push(id));
  uploads.cancel(1);
  expect(calls[0]?.sending.signal.aborted).toBe(true);
  expect(states(uploads)).toEqual(['cancelled', 'sending', 'sending', 'sending']);
  calls[0]?.finish(buildAsset('a_1'));
  calls[1]?.finish(buildAsset('a_2'));
  await expect.poll(() => done).toEqual(['a_2']);
  expect(states(uploads)[0]).toBe('cancelled');
});

test('a failed upload shows the reason, and can be retried', async () => {
  const { uploads, calls } = openService();
  addFiles(uploads, 1);
  calls[0]?.fail(new ConnectionError(undefined));
  await expect.poll(() => states(uploads)).toEqual(['failed']);
  expect(uploads.read()[0]?.state).toMatchObject({ message: expect.stringContaining('connection was lost') });
  uploads.retry(1);
  expect(calls).toHaveLength(2);
  calls[1]?.finish(buildAsset('a_1'));
  await expect.poll(() => states(uploads)).toEqual(['done']);
});

function refuseDuplicate(): ApiError {
  return new ApiError(409, {
    message: 'The site already has this file.',
    code: 'duplicate',
    details: { assets: [{ file: '1.jpg', asset: 'a_old', name: 'Old heron' }] },
  });
}

test('offers the existing asset instead of a duplicate, and uses it', async () => {
  const { uploads, calls } = openService();
  const done: string[] = [];
  addFiles(uploads, 1, ({ id }) => done.push(id));
  calls[0]?.fail(refuseDuplicate());
  await expect.poll(() => states(uploads)).toEqual(['duplicate']);
  expect(uploads.read()[0]?.state).toMatchObject({ existing: { id: 'a_old', name: 'Old heron' } });
  uploads.takeExisting(1);
  await expect.poll(() => done).toEqual(['a_old']);
  expect(calls).toHaveLength(1);
});

test('adds a duplicate anyway', async () => {
  const { uploads, calls } = openService();
  addFiles(uploads, 1);
  calls[0]?.fail(refuseDuplicate());
  await expect.poll(() => states(uploads)).toEqual(['duplicate']);
  uploads.addAnyway(1);
  expect(calls.map(({ upload }) => upload.acceptsDuplicate)).toEqual([false, true]);
});

import { expect, test } from 'vitest';
import { COMMAND_ACTOR, nameCaller } from '../authoring/actor.ts';
import type { PartialFiles } from '../files/partial-files.ts';
import { createUploader, type Uploader } from '../uploads/uploader.ts';
import { listStored, openUploads, RULES, split } from '../uploads/uploads.fixture.ts';
import { takeResumed } from './resumable-uploads.ts';

const ID = '0123456789abcdef0123456789abcdef';
const BYTES = Buffer.from('All bytes of an upload.');
const CALL = { actor: COMMAND_ACTOR, site: 's_mag', id: ID, rules: RULES };

async function begin(partial: PartialFiles): Promise<void> {
  const { accountNo } = COMMAND_ACTOR;
  const note = { caller: nameCaller(COMMAND_ACTOR), accountNo, site: 's_mag', name: 'a.txt', bytes: BYTES.length };
  await partial.create(ID, JSON.stringify(note));
  await partial.append(ID, 0, split(BYTES));
}

test.each(['folder', 'bucket'] as const)('an upload in a %s can disappear before it is read', async (kind) => {
  await using uploads = await openUploads(kind);
  const uploader = createUploader(uploads.tools);
  const { partial } = uploader.store;
  await begin(partial);
  async function* readTooLate(id: string): AsyncGenerator<Uint8Array, void, void> {
    await partial.remove(id);
    yield* partial.read(id);
  }
  const store = Object.create(uploader.store, { partial: { value: { ...partial, read: readTooLate } } });
  const late: Uploader = { ...uploader, store };
  await using resumed = await takeResumed(late, CALL);
  expect(resumed.files).toEqual([]);
  expect([await listStored(uploads), await uploads.listTemporary()]).toEqual([[], []]);
});

test('an upload with a missing part is rejected', async () => {
  await using uploads = await openUploads('folder');
  const uploader = createUploader(uploads.tools);
  const { partial } = uploader.store;
  await begin(partial);
  const store = Object.create(uploader.store, {
    partial: { value: { ...partial, read: () => split(BYTES.subarray(5)) } },
  });
  await expect(takeResumed({ ...uploader, store }, CALL)).rejects.toThrow(
    'The upload contains only 18 of its 23 bytes',
  );
  expect([await listStored(uploads), await uploads.listTemporary()]).toEqual([[], []]);
});

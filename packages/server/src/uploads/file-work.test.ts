import { expect, test } from 'vitest';
import { takeFile } from './take-file.ts';
import { listStored, MEGABYTE, openUploads, RULES, split, take } from './uploads.fixture.ts';

/** Reading and sanitising this file takes much longer than a few milliseconds. */
const LARGE = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h1v1z"/>'.repeat(200_000)}</svg>`);

test.each(['folder', 'bucket'] as const)(
  'with a %s as the store, a file that takes too long to read is refused, and others are accepted',
  async (kind) => {
    const longestMs = (bytes: number): number => (bytes > MEGABYTE ? 5 : 600_000);
    await using uploads = await openUploads(kind, { longestMs });
    const [early, late, next] = await Promise.all([
      take(uploads, Buffer.from('early'), 'early.txt'),
      takeFile(uploads.tools, split(LARGE), 'large.svg', RULES),
      take(uploads, Buffer.from('next'), 'next.txt'),
    ]);
    expect(late).toEqual({
      ok: false,
      problem: {
        code: 'unreadable',
        message: 'Reading the file took too long. Save it again in another program, or choose another file.',
        values: {},
      },
    });
    const later = await take(uploads, Buffer.from('later'), 'later.txt');
    expect((await listStored(uploads)).toSorted()).toEqual([early, next, later].map(({ sha256 }) => sha256).toSorted());
    for (const file of [early, next, later]) await file[Symbol.asyncDispose]();
    expect(await uploads.listTemporary()).toEqual([]);
  },
);

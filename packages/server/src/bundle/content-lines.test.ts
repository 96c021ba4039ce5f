import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConstraintViolation } from '../storage/engine.ts';
import { ContentLines, withLine } from './content-lines.ts';
import { BundleFault } from './read-bundle-lines.ts';

test('returns the line of every recorded content object, and of no others', () => {
  const noted = fc.dictionary(fc.nat(20_000).map(String), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(noted, fc.array(fc.nat(20_000)), (byNumber, asked) => {
      const lines = new ContentLines();
      for (const [contentNo, line] of Object.entries(byNumber)) lines.note(Number(contentNo), line);
      for (const contentNo of [...asked, ...Object.keys(byNumber).map(Number)]) {
        expect(lines.find(contentNo)).toBe(byNumber[contentNo]);
        expect(lines.has(contentNo)).toBe(Object.hasOwn(byNumber, contentNo));
      }
    }),
  );
});

describe('withLine', () => {
  test('reports the line that violated a database constraint', async () => {
    const work = Promise.reject(new ConstraintViolation('UNIQUE constraint failed: fields.id'));
    const fault: unknown = await withLine(7, work).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BundleFault);
    expect(fault).toMatchObject({
      line: 7,
      message: 'this record conflicts with another one (UNIQUE constraint failed: fields.id)',
    });
  });

  test('passes on results and all other errors unchanged', async () => {
    const other = new Error('other');
    await expect(withLine(7, Promise.reject(other))).rejects.toBe(other);
    expect(await withLine(7, Promise.resolve('done'))).toBe('done');
  });
});

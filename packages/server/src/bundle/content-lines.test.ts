import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContentLines } from './content-lines.ts';

test('knows the line of every content object that was noted, and of no other', () => {
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

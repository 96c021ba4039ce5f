import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { postRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

const LANGUAGES = { a: 'en', b: 'fr', c: 'de', d: 'en', e: 'fr' };
const IDS = Object.keys(LANGUAGES);

/** There are few slugs and IDs, so slugs move between records in most bundles, and many bundles are rejected. */
const bundle = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom(...IDS),
      slug: fc.constantFrom('one', 'two', 'three'),
      of: fc.option(fc.constantFrom(...IDS), { freq: 1 }),
      draft: fc.option(fc.record({ slug: fc.constantFrom('one', 'two', 'four') }), { freq: 1 }),
      status: fc.constantFrom('published', 'published', 'draft', 'archived'),
    }),
    { selector: ({ id }) => id, minLength: 2 },
  )
  .map((records) =>
    records.map(({ id, slug, of, draft, status }) => {
      const language = Object(LANGUAGES)[id];
      return postRecord(id, { slug, draft, status, language, translation_of: of === id ? null : of });
    }),
  );

describe('a bundle', () => {
  test('has the same result regardless of the order of its records', async () => {
    const shuffled = bundle.chain((records) =>
      fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
    );
    let imported = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(bundle, { maxLength: 3 }), shuffled, async (earlier, orders) => {
        const outcomes = [];
        for (const records of orders) {
          await using database = await openImportDatabase();
          const tryImport = (some: readonly object[]) =>
            database.importRecords(...some).catch(async () => {
              // This message comes from the final safety check. The earlier checks must report the error first.
              expect(await database.refuse(...some)).not.toContain('conflicts with another');
              return 'refused';
            });
          for (const before of earlier) await tryImport(before);
          const changed = await tryImport(records);
          if (typeof changed === 'number') imported += 1;
          expect(await database.countContradictions()).toBe(0);
          outcomes.push({ changed, groups: database.column('translation_group'), slugs: database.column('slug') });
        }
        expect(outcomes[1]).toEqual(outcomes[0]);
        expect(JSON.stringify(outcomes)).not.toContain('/');
      }),
      { numRuns: 15 },
    );
    expect(imported).toBeGreaterThan(0);
  });
});

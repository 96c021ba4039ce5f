import { expect, test } from 'vitest';
import { postRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

const SOON = '2998-01-01T00:00:00+00:00';
const LATER = '2999-01-01T00:00:00+00:00';

test.each([
  [{ publish_at: SOON, unpublish_at: SOON }, 'unpublish_at: must be later than the publishing time'],
  [{ publish_at: LATER, unpublish_at: SOON }, 'unpublish_at: must be later than the publishing time'],
  [{ status: 'archived', publish_at: SOON }, 'publish_at: must not be set on archived content'],
  [{ status: 'archived', unpublish_at: SOON }, 'unpublish_at: must not be set on archived content'],
])('an invalid schedule is rejected with its line number: %j', async (members, complaint) => {
  await using database = await openImportDatabase();
  expect(await database.refuse(postRecord('c_1', members))).toBe(`1: content c_1, field ${complaint}`);
});

test('every valid schedule is imported, even if its time has passed', async () => {
  await using database = await openImportDatabase();
  const past = '2001-01-01T00:00:00+00:00';
  const kept = database.importRecords(
    postRecord('c_1', { status: 'draft', publish_at: past, unpublish_at: SOON }),
    postRecord('c_2', { unpublish_at: past }),
  );
  expect(await kept).toBe(2);
});

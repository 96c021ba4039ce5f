// Which content carries an author, in any version that was ever saved: versions can be looked at and restored.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import type { Uses, UsingContent } from '../uses.ts';

const selectCount = defineStatement(
  () => sql`select count(distinct content_no) as total from content_versions where author_no = ${slot('author')}`,
);
const selectFirst = defineStatement(
  () => sql`select id, name from contents
    where no in (select content_no from content_versions where author_no = ${slot('author')})
    order by id limit ${slot('limit')} + 0`,
);

export function* selectAuthorUses(authorNo: number, limit: number): Procedure<Uses> {
  const [row] = yield* query<{ total: number }>(selectCount, { author: authorNo });
  const total = row?.total ?? 0;
  const contents = total === 0 ? [] : yield* query<UsingContent>(selectFirst, { author: authorNo, limit });
  return { total, contents };
}

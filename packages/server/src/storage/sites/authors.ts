// A site's authors. Content refers to them by number, so a new name appears everywhere immediately.

import { sql } from 'kysely';
import type { ShownAuthor } from '../../content/render-content.ts';
import { buildTextKey } from '../../content/text-key.ts';
import { buildContainsPattern, defineNamePage, type NamePosition, type Written, writeNamed } from '../named-rows.ts';
import { announce } from '../publication/announce.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface AuthorRow extends ShownAuthor {
  readonly no: number;
}

export interface AuthorWrite {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profilePhotoUrl: string | null;
}

export interface ListedAuthorRow extends AuthorRow {
  readonly name_key: string;
}

const columns = sql.raw('no, id, name, name_key, email, profile_photo_url');
const selectById = defineStatement(
  () => sql`select ${columns} from authors where site_no = ${slot('site')} and id = ${slot('id')}`,
);
const selectPage = defineNamePage('authors', columns);
const insertRow = defineStatement(
  () => sql`insert into authors (site_no, id, name, name_key, email, profile_photo_url)
    values (${slot('site')}, ${slot('id')}, ${slot('name')}, ${slot('nameKey')}, ${slot('email')},
      ${slot('profile_photo_url')}) returning no`,
);
const updateRow = defineStatement(
  () => sql`update authors set name = ${slot('name')}, name_key = ${slot('nameKey')}, email = ${slot('email')},
    profile_photo_url = ${slot('profile_photo_url')} where no = ${slot('no')}`,
);
const deleteRow = defineStatement(() => sql`delete from authors where no = ${slot('no')}`);

export function* selectAuthor(siteNo: number, id: string): Procedure<AuthorRow | undefined> {
  return (yield* query<AuthorRow>(selectById, { site: siteNo, id }))[0];
}

/** Sorted by name, ignoring case and accents. */
export function* selectAuthors(
  siteNo: number,
  search: string,
  after: NamePosition,
  limit: number,
): Procedure<readonly ListedAuthorRow[]> {
  const pattern = buildContainsPattern(buildTextKey(search));
  return yield* query<ListedAuthorRow>(selectPage, { site: siteNo, pattern, key: after.key, no: after.no, limit });
}

export function writeAuthor(siteNo: number, author: AuthorWrite, now: number): Procedure<Written> {
  const { id, name, email, profilePhotoUrl } = author;
  const row = { site: siteNo, id, values: { name, email, profile_photo_url: profilePhotoUrl } };
  return writeNamed({ selectById, insertRow, updateRow }, row, (no) =>
    announce(siteNo, [{ kind: 'author', authorNo: no }], now),
  );
}

/** The author must not be in use. The author's number may be reused for another author, so it must not remain in any cache. */
export function* deleteAuthor(siteNo: number, no: number, now: number): Procedure<void> {
  yield* query(deleteRow, { no });
  yield* announce(siteNo, [{ kind: 'author', authorNo: no }], now);
}

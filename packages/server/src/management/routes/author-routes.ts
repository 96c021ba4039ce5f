// A site's authors. An author is a byline, not a login. A new name appears immediately in all of the author's content.

import type { ManagedAuthorBody } from '@galley/wire';
import { z } from 'zod';
import { type Actor, nameCaller } from '../../authoring/actor.ts';
import { createAuthor, deleteAuthor, findAuthor, updateAuthor } from '../../authoring/authors.ts';
import type { Desk } from '../../authoring/desk.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { idMember, orNull, orUnset, strictMembers } from '../../content/schema-members.ts';
import { authorMembers } from '../../content/site-definition.ts';
import { FIRST_POSITION, type NamePosition } from '../../storage/named-rows.ts';
import { type AuthorRow, type ListedAuthorRow, selectAuthors } from '../../storage/sites/authors.ts';
import type { Procedure } from '../../storage/statement.ts';
import { buildPage, confirmParameter, inQuery, pageParameters, pageSchema, searchParameter } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Authors';

const authorBody: z.ZodType<ManagedAuthorBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    profile_photo_url: z.string().nullable(),
  })
  .meta({ id: 'ManagedAuthor' });

function renderAuthor({ id, name, email, profile_photo_url }: AuthorRow): ManagedAuthorBody {
  return { id, name, email, profile_photo_url };
}

async function readAuthor(desk: Desk, actor: Actor, siteId: string, authorId: string): Promise<ManagedAuthorBody> {
  return renderAuthor(await desk.storage.read(selectOwnAuthor(actor, siteId, authorId)));
}

function* selectOwnAuthor(actor: Actor, siteId: string, authorId: string): Procedure<AuthorRow> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* findAuthor(site.no, authorId);
}

function* selectOwnAuthors(
  actor: Actor,
  siteId: string,
  search: string,
  after: NamePosition,
  limit: number,
): Procedure<readonly ListedAuthorRow[]> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectAuthors(site.no, search, after, limit);
}

export const AUTHOR_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listAuthors',
    method: 'GET',
    path: '/sites/{site}/authors',
    who: 'member',
    tag,
    summary: 'List a site’s authors, sorted by name',
    description: '`search` matches any part of a name, ignoring case and accents.',
    query: strictMembers('the query', { ...pageParameters, search: searchParameter }),
    status: 200,
    answer: pageSchema(authorBody, 'ManagedAuthorPage'),
    refusals: [404, 422],
    run: async ({ desk, actor, path, query: { limit, cursor = FIRST_POSITION, search } }) => {
      const select = () => selectOwnAuthors(actor, path.site ?? '', search, cursor, limit + 1);
      const rows = await desk.storage.readList(select, nameCaller(actor));
      return buildPage(rows, limit, renderAuthor, ({ name_key, no }) => ({ key: name_key, no }));
    },
  }),
  defineRoute({
    operationId: 'createAuthor',
    method: 'POST',
    path: '/sites/{site}/authors',
    who: 'member',
    tag,
    summary: 'Create an author',
    body: strictMembers('an author', {
      id: orNull(idMember),
      name: authorMembers.name,
      email: orNull(authorMembers.email),
      profile_photo_url: orNull(authorMembers.profile_photo_url),
    }),
    status: 201,
    answer: authorBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body: { id, name, email, profile_photo_url: profilePhotoUrl } }) => {
      const siteId = path.site ?? '';
      const author = await createAuthor(desk, actor, siteId, { id, name, email, profilePhotoUrl });
      return readAuthor(desk, actor, siteId, author);
    },
  }),
  defineRoute({
    operationId: 'getAuthor',
    method: 'GET',
    path: '/sites/{site}/authors/{author}',
    who: 'member',
    tag,
    summary: 'Read an author',
    status: 200,
    answer: authorBody,
    state: (author) => author,
    refusals: [404],
    run: ({ desk, actor, path }) => readAuthor(desk, actor, path.site ?? '', path.author ?? ''),
  }),
  defineRoute({
    operationId: 'updateAuthor',
    method: 'PATCH',
    path: '/sites/{site}/authors/{author}',
    who: 'member',
    tag,
    summary: 'Change an author',
    description: 'Omitted properties stay as they are. The change takes effect in all content immediately.',
    body: strictMembers('an author change', {
      name: authorMembers.name.optional(),
      email: authorMembers.email.nullable().optional(),
      profile_photo_url: authorMembers.profile_photo_url.nullable().optional(),
    }),
    status: 200,
    answer: authorBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body: { name, email, profile_photo_url: profilePhotoUrl } }) => {
      const [siteId = '', authorId = ''] = [path.site, path.author];
      await updateAuthor(desk, actor, siteId, authorId, { name, email, profilePhotoUrl });
      return readAuthor(desk, actor, siteId, authorId);
    },
  }),
  defineRoute({
    operationId: 'deleteAuthor',
    method: 'DELETE',
    path: '/sites/{site}/authors/{author}',
    who: 'member',
    tag,
    summary: 'Delete an author',
    description:
      'Returns 409 while any saved version of any content names the author: `details.contents` lists the first 100 ' +
      'such content objects, and `details.total` is how many there are. An owner can still delete the author with ' +
      '`confirm`, which must be the author’s id. In all versions of the content, the author is then replaced with ' +
      '`replace_with`, or removed. The name is removed from the audit log.',
    query: strictMembers('the query', { confirm: confirmParameter, replace_with: orUnset(idMember) }),
    status: 204,
    answer: null,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, query: { confirm, replace_with: replaceWith } }) =>
      inQuery(deleteAuthor(desk, actor, path.site ?? '', path.author ?? '', { confirm, replaceWith })),
  }),
];

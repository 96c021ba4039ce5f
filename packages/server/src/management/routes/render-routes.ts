// Renders unsaved content, for the preview beside the form.

import { z } from 'zod';
import { typesetUnsaved, type Unsaved } from '../../authoring/contents/save-content.ts';
import { prepareAt } from '../../authoring/desk.ts';
import { oneOfMember, strictMembers } from '../../content/schema-members.ts';
import type { Procedure } from '../../storage/statement.ts';
import { type ContentDelivery, defineRoute, LargeCall, type Route, type WantedContent } from '../route.ts';
import { versionMember, versionMembers } from './content-bodies.ts';

type RenderedContent = Readonly<Record<string, unknown>>;

const renderedContentBody: z.ZodType<RenderedContent> = z
  .record(z.string(), z.unknown())
  .meta({ id: 'RenderedContent', description: 'A content object in the format of `GET /api/v1/content/{id}`.' });

const { name, slug, uri, author, seo, fields } = versionMembers;

export const RENDER_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'renderContent',
    method: 'POST',
    path: '/sites/{site}/content/{content}/render',
    who: 'member',
    tag: 'Content',
    summary: 'Render unsaved content',
    description:
      'Returns the object that the delivery API would return for a preview if the body were saved now. Nothing is ' +
      'saved. The request body is the same as for a save, but `version` is optional and has no effect. Invalid values are rendered as if ' +
      'they were empty; an invalid or taken `slug` is ignored. `marks=true` adds invisible marks and a `source_map`.',
    query: strictMembers('the query', { marks: oneOfMember(['true', 'false']).default('false') }),
    body: strictMembers('a draft', {
      version: versionMember.optional(),
      name: ifValid(name, ''),
      slug: ifValid(slug, undefined),
      uri: ifValid(uri, null),
      author: ifValid(author, null),
      seo,
      fields,
    }),
    status: 200,
    answer: renderedContentBody,
    refusals: [404, 409, 422],
    savesNothing: true,
    run: ({ desk, actor, path, query, body: { version: _, ...input }, client, delivery }) =>
      prepareAt(desk, actor, (prepared) => {
        const saving = { actor, now: desk.now(), prepared };
        const unsaved = typesetUnsaved(saving, path.site ?? '', path.content ?? '', input);
        return desk.storage.read(
          renderUnsaved(unsaved, { baseUrl: client.baseUrl, isMarked: query.marks === 'true' }, delivery),
        );
      }),
  }),
];

/** Accepts the same values as the schema, and replaces all others. */
function ifValid<Output, Input>(schema: z.ZodType<Output, Input>, otherwise: Output) {
  // In the OpenAPI document, the replacement would look like the value of an omitted property.
  return schema.catch(otherwise).meta({ default: undefined });
}

function* renderUnsaved(
  typesetting: Procedure<Unsaved>,
  form: Pick<WantedContent, 'baseUrl' | 'isMarked'>,
  delivery: ContentDelivery,
): Procedure<RenderedContent> {
  const { siteNo, id, body } = yield* typesetting;
  const rendered = yield* delivery.preview({ siteNo, id, ...form }, body);
  if (rendered === undefined) throw new LargeCall();
  if (rendered === null) throw new Error(`Content ${id} has no preview`);
  return rendered;
}

// A content object as a line of a bundle. Field values and `seo` stay as they are: they are read later, against the
// content type.

import { z } from 'zod';
import {
  handleMember,
  idMember,
  nameMember,
  oneOfMember,
  orNull,
  orUnset,
  strictMembers,
  textMember,
  timeMember,
} from '../content/schema-members.ts';
import { languageMember } from '../content/site-definition.ts';
import { isSlug, SLUG_RULE } from '../content/slug.ts';
import { isUri, URI_RULE } from '../content/uri.ts';

const slug = textMember(SLUG_RULE, isSlug);
const uri = textMember(URI_RULE, isUri);

/** A member that is not there is as in the published version; null takes the author, the uri or the seo away. */
const draftRecord = strictMembers('a draft', {
  name: nameMember.optional(),
  slug: slug.optional(),
  uri: uri.nullable().optional(),
  shown_uri: uri.nullable().optional(),
  author: idMember.nullable().optional(),
  updated_at: timeMember.nullable().optional(),
  seo: z.unknown().optional(),
  fields: z.unknown().optional(),
});

/** What content refers to though the site does not have it any more, or never had. */
const absentRecord = strictMembers('absent', {
  contents: orUnset(z.array(idMember, { error: 'must be an array of ids' })),
  assets: orUnset(z.array(idMember, { error: 'must be an array of ids' })),
  options: orUnset(z.array(nameMember, { error: 'must be an array of option values' })),
});

export const contentRecord = strictMembers('content', {
  kind: z.literal('content'),
  id: idMember,
  site: idMember,
  content_type: handleMember,
  author: orNull(idMember),
  language: languageMember,
  translation_of: orNull(idMember),
  slug,
  name: nameMember,
  uri: orNull(uri),
  shown_uri: orNull(uri),
  status: oneOfMember(['draft', 'published', 'unpublished', 'archived']),
  published_at: orNull(timeMember),
  created_at: orNull(timeMember),
  updated_at: orNull(timeMember),
  publish_at: orNull(timeMember),
  unpublish_at: orNull(timeMember),
  seo: z.unknown().optional(),
  fields: z.unknown().optional(),
  draft: orNull(draftRecord),
  absent: orNull(absentRecord),
});

export type ContentRecord = z.output<typeof contentRecord>;
export type DraftRecord = z.output<typeof draftRecord>;
export type AbsentRecord = z.output<typeof absentRecord>;

import type { SiteBody } from '@galley/wire';
import { z } from 'zod';
import { MOST_LANGUAGES } from '../../authoring/sites/change-languages.ts';
import { ALWAYS, idMember, nameMember, orNull, orUnset, strictMembers } from '../../content/schema-members.ts';
import {
  checkLanguages,
  completeLanguages,
  DEFAULT_LANGUAGE,
  languageMember,
  realLanguageMember,
  realLanguagesMember,
  siteUrlMember,
} from '../../content/site-definition.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import type { SiteRecord } from '../../storage/port.ts';

export const siteBody: z.ZodType<SiteBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    default_language: z.string(),
    languages: z.array(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Site' });

export function renderSite(site: SiteRecord): SiteBody {
  return {
    id: site.id,
    name: site.name,
    url: site.url,
    default_language: site.defaultLanguage,
    languages: site.languages,
    created_at: formatTimestamp(site.createdAt),
    updated_at: formatTimestamp(site.updatedAt),
  };
}

export const newSiteBody = strictMembers('a site', {
  id: orNull(idMember),
  name: nameMember,
  url: orNull(siteUrlMember),
  default_language: orUnset(realLanguageMember),
  languages: orUnset(
    realLanguagesMember.max(MOST_LANGUAGES, { error: `must name at most ${MOST_LANGUAGES} languages` }),
  ),
})
  .superRefine(checkLanguages, ALWAYS)
  .transform((site) =>
    completeLanguages({ ...site, default_language: site.default_language ?? site.languages?.[0] ?? DEFAULT_LANGUAGE }),
  );

export const siteChangeBody = strictMembers('a change of a site', {
  name: nameMember.optional(),
  url: siteUrlMember.nullable().optional(),
});

export const newLanguageBody = strictMembers('the body', { language: realLanguageMember });
export const languageBody = strictMembers('the body', { language: languageMember });

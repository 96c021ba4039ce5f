// Reads the site with the client and the types that `galley types` generates. Drafts need a separate key.

import {
  type Client,
  type ContentOf,
  createClient,
  isInvalid,
  isNotFound,
  isOfType,
  type PreviewOf,
} from '@galley/client';
import type { Site as PublishedSite } from '../content-types.ts';
import { readVariable } from './read-variable.ts';

/** Drafts may lack fields that published content always has, so the pages handle both. */
type Site = PreviewOf<PublishedSite>;
export type Content = ContentOf<Site>;
export type Article = ContentOf<Site, 'article'>;

/** Pages in these languages have the language at the start of their path, as in fr/articles/… */
export const PREFIXED_LANGUAGES: readonly Site['languages'][] = ['fr'];

/** @param fetchOptions options for `fetch`, such as how to cache the response */
export async function listArticles(isDraft: boolean, fetchOptions?: RequestInit): Promise<readonly Article[]> {
  const site = openSite(isDraft);
  const { content } = await site.getContentByType({ contentType: 'article', limit: 12 }, { fetchOptions });
  return content;
}

/** @param path the path of the page, without the leading slash */
export async function findByPath(
  path: string,
  isDraft: boolean,
  fetchOptions?: RequestInit,
): Promise<Content | undefined> {
  const slug = path.split('/').at(-1);
  const language = PREFIXED_LANGUAGES.find((each) => path.startsWith(`${each}/`));
  try {
    // Slugs are unique within a content type, so this returns a few objects at most.
    const { content } = await openSite(isDraft).getContent(
      { params: { slug, limit: 100 } },
      { language, fetchOptions },
    );
    return content.find(({ uri }) => uri === path);
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}

/** Finds published content in its language. */
export async function findById(
  { id, language }: Pick<Content, 'id' | 'language'>,
  fetchOptions?: RequestInit,
): Promise<Content | undefined> {
  return undefinedIfMissing(openSite(false).getContentById(id, { language, fetchOptions }));
}

/** The latest saved version, published or not. */
export async function findDraft(id: string): Promise<Content | undefined> {
  return undefinedIfMissing(openSite(true).getContentById(id));
}

async function undefinedIfMissing(content: Promise<Content>): Promise<Content | undefined> {
  try {
    return await content;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Selects the lead, body and picture of a page from the fields of its content type. */
export function describePage(content: Content) {
  if (isOfType(content, 'article')) {
    const { standfirst, body, cover } = content.fields;
    return { lead: standfirst.text, body: body.text, picture: cover.assets[0]?.asset };
  }
  if (isOfType(content, 'page')) {
    const { intro, body, hero } = content.fields;
    return { lead: intro.text, body: body.text, picture: hero.assets[0]?.asset };
  }
  if (isOfType(content, 'author_page')) {
    const { role, bio, portrait } = content.fields;
    return { lead: role.text, body: bio.text, picture: portrait.assets[0]?.asset };
  }
  if (isOfType(content, 'category')) {
    const { summary, description, icon } = content.fields;
    return { lead: summary.text, body: description.text, picture: icon.assets[0]?.asset };
  }
  return { lead: null, body: null, picture: undefined };
}

export function openSite(isDraft: boolean): Client<Site> {
  return createClient<PublishedSite>({
    apiURL: requireVariable('GALLEY_API_URL'),
    siteId: requireVariable('GALLEY_SITE_ID'),
    apiKey: requireVariable(isDraft ? 'GALLEY_PREVIEW_KEY' : 'GALLEY_API_KEY'),
    isPreview: isDraft,
  });
}

function requireVariable(name: string): string {
  const value = readVariable(name);
  if (value) return value;
  throw new Error(`${name} is not set. Run "npm start" in the project folder to write it to web/.env.local.`);
}

// Reads the site's content with the client and the types that `galley types` generates.

import { type Client, createClient, isInvalid, isNotFound, isOfType } from '@galley/client';
import type { Site as PublishedSite } from '../content-types.ts';
import type { Article, AuthorPage, Content, Page, Site, Topic } from './content.ts';
import type { Access, Preview } from './draft-mode.ts';
import { readHeaderPrefix } from './header-prefix.ts';
import { readVariable } from './read-variable.ts';
import { findLanguage, LANGUAGES } from './site.ts';

/** The pages that every page links to. */
export interface Navigation {
  readonly pages: readonly Page[];
  readonly topics: readonly Topic[];
  readonly authors: readonly AuthorPage[];
}

/**
 * The articles on the front page.
 * @param fetchOptions options for `fetch`, such as those that control caching
 */
export async function listArticles(
  language: string,
  access: Access,
  fetchOptions?: RequestInit,
): Promise<readonly Article[]> {
  const [{ content }] = await Promise.all([
    openLists(access).getContentByType({ contentType: 'article', limit: 13 }, { language, fetchOptions }),
    // No other request for the front page uses a share link's token, so the token is checked here.
    isShared(access) && confirmPreview(access, fetchOptions),
  ]);
  return content;
}

export async function listTopicArticles(
  { id, language }: Pick<Topic, 'id' | 'language'>,
  access: Access,
  fetchOptions?: RequestInit,
): Promise<readonly Article[]> {
  const params = { content_type: 'article', fields: { content_links: { category: { id } } }, limit: 100 } as const;
  const { content } = await openLists(access).getContent({ params }, { language, fetchOptions });
  return content.filter((article) => isOfType(article, 'article'));
}

export async function listNavigation(
  language: string,
  access: Access,
  fetchOptions?: RequestInit,
): Promise<Navigation> {
  const params = { content_type: ['page', 'category', 'author_page'], match: 'any', limit: 100 } as const;
  const { content } = await openLists(access).getContent({ params }, { language, fetchOptions });
  const byNumber = (one: number | null, other: number | null) => (one ?? Infinity) - (other ?? Infinity);
  return {
    pages: content
      .filter((each) => isOfType(each, 'page'))
      .filter(({ fields }) => fields.show_in_menu.is_on)
      .sort((one, other) => byNumber(one.fields.menu_order.number, other.fields.menu_order.number)),
    topics: content
      .filter((each) => isOfType(each, 'category'))
      .sort((one, other) => byNumber(one.fields.sort_order.number, other.fields.sort_order.number)),
    authors: content
      .filter((each) => isOfType(each, 'author_page'))
      .sort((one, other) => one.name.localeCompare(other.name, language)),
  };
}

/** @param path the path of the page, without the leading slash */
export async function findByPath(
  path: string,
  access: Access,
  fetchOptions?: RequestInit,
): Promise<Content | undefined> {
  // A share link shows one draft and the content linked from it. Everything else appears as published.
  const found = await findInAccess(path, access, fetchOptions);
  return found ?? (isShared(access) ? findInAccess(path, 'published', fetchOptions) : undefined);
}

/** Galley cannot look up a whole path, so pages are found only if their path ends in their slug or ID. */
async function findInAccess(path: string, access: Access, fetchOptions?: RequestInit): Promise<Content | undefined> {
  const name = path.split('/').at(-1) ?? '';
  const language = findLanguage(path);
  try {
    // Slugs are unique within a content type, so this returns a few objects at most.
    const params = { slug: name, limit: 100 };
    const { content } = await openSite(access).getContent({ params }, { language, fetchOptions });
    const found = content.find(({ uri }) => uri === path) ?? (await findById(name, access, { language, fetchOptions }));
    return found?.uri === path ? found : undefined;
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}

/** @returns undefined if this visitor may not see the content, or if it does not exist */
export async function findById(
  id: string,
  access: Access,
  { language, fetchOptions }: { readonly language?: string; readonly fetchOptions?: RequestInit } = {},
): Promise<Content | undefined> {
  try {
    return await openSite(access).getContentById(id, { language, fetchOptions });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** All published content, in every language. */
export async function* iterateContent(fetchOptions?: RequestInit): AsyncGenerator<Content> {
  for (const { code: language } of LANGUAGES) {
    yield* openSite('published').iterate({ params: { limit: 100 } }, { language, fetchOptions });
  }
}

/** Throws an error if Galley does not accept the visitor's token. */
export async function confirmPreview(preview: Preview, fetchOptions?: RequestInit): Promise<void> {
  await openSite(preview).getContent({ params: { limit: 1 } }, { fetchOptions });
}

/** Visitors with a share link see lists as published, because with their token, Galley would return only the shared content. */
function openLists(access: Access): Client<Site> {
  return openSite(isShared(access) ? 'published' : access);
}

function isShared(access: Access): access is Preview {
  return access !== 'published' && access.isShared;
}

function openSite(access: Access): Client<Site> {
  const headerPrefix = readHeaderPrefix();
  return createClient<PublishedSite>({
    apiURL: requireVariable('GALLEY_API_URL'),
    siteId: requireVariable('GALLEY_SITE_ID'),
    headerPrefix,
    apiKey: access === 'published' ? requireVariable('GALLEY_API_KEY') : access.token,
    isPreview: access !== 'published',
    // With this header, each piece of text in a preview is marked with its field, so that a click opens the field in the panel.
    fetchOptions:
      access !== 'published' && !access.isShared ? { headers: { [`${headerPrefix}-SOURCE-MAP`]: 'true' } } : {},
  });
}

function requireVariable(name: string): string {
  const value = readVariable(name);
  if (value) return value;
  throw new Error(`${name} is not set. Run "npm start" in the project folder to write it to web/.env.local.`);
}

// Published content, cached until a webhook reports a change. Tags determine which cached content each change expires; see
// src/app/api/webhook/route.ts. Without GALLEY_WEBHOOK_SECRET, nothing reports changes, so nothing is cached. Drafts are never cached.

import { connection } from 'next/server';
import type { Article, Content, Topic } from './content.ts';
import type { Access } from './draft-mode.ts';
import {
  findById,
  findByPath,
  iterateContent,
  listArticles,
  listNavigation,
  listTopicArticles,
  type Navigation,
} from './read-content.ts';
import { readVariable } from './read-variable.ts';
import { readAs } from './visitor.ts';

/** An event in a webhook call. Only events about content have a content type. */
export interface WebhookEvent {
  readonly type: string;
  readonly data: { readonly id?: string; readonly content_type?: string; readonly events?: readonly WebhookEvent[] };
}

/** If webhook calls do not arrive, pages are out of date for at most about this long. */
const LONGEST_SECONDS = 3600;
const PATHS = 'paths';
const tagContent = (id: string) => `content:${id}`;
const tagType = (handle: string) => `type:${handle}`;
const EVERYTHING = ['article', 'page', 'category', 'author_page'].map(tagType);

export async function readArticles(language: string, access: Access): Promise<readonly Article[]> {
  const fetchOptions = await chooseCaching(access, tagType('article'));
  return readAs(access, () => listArticles(language, access, fetchOptions));
}

export async function readTopicArticles(topic: Topic, access: Access): Promise<readonly Article[]> {
  const fetchOptions = await chooseCaching(access, tagType('article'));
  return readAs(access, () => listTopicArticles(topic, access, fetchOptions));
}

export async function readNavigation(language: string, access: Access): Promise<Navigation> {
  const fetchOptions = await chooseCaching(access, ...EVERYTHING.slice(1));
  return readAs(access, () => listNavigation(language, access, fetchOptions));
}

/** @param path the path of the page, without the leading slash */
export async function readContent(path: string, access: Access): Promise<Content | undefined> {
  const pathOptions = await chooseCaching(access, PATHS);
  const found = await readAs(access, () => findByPath(path, access, pathOptions));
  if (found === undefined || !isCached(access)) return found;
  // No other request has this content's own tag, so expiring the tag affects only this page.
  const fetchOptions = await chooseCaching(access, tagContent(found.id));
  const content = await findById(found.id, access, { language: found.language, fetchOptions });
  return content?.uri === path ? content : undefined;
}

/** All published content. */
export async function* readEverything(): AsyncGenerator<Content> {
  yield* iterateContent(await chooseCaching('published', ...EVERYTHING));
}

/** Returns the tags of everything that shows the changed content. */
export function listTags({ type, data }: WebhookEvent): readonly string[] {
  if (data.events !== undefined) return [...new Set(data.events.flatMap(listTags))];
  if (data.id === undefined || data.content_type === undefined) return [];
  const tags = [tagContent(data.id), tagType(data.content_type)];
  return type === 'content.updated' ? tags : [...tags, PATHS];
}

async function chooseCaching(access: Access, ...tags: readonly string[]): Promise<RequestInit> {
  // Pages are rendered on request, so a build does not need any content.
  await connection();
  if (!isCached(access)) return { cache: 'no-store' };
  return { cache: 'force-cache', next: { tags: [...tags], revalidate: LONGEST_SECONDS } };
}

function isCached(access: Access): boolean {
  return access === 'published' && Boolean(readVariable('GALLEY_WEBHOOK_SECRET'));
}

// Published content, cached until a webhook reports a change. Tags connect the two: see src/app/api/webhook/route.ts.
// Without GALLEY_WEBHOOK_SECRET nothing reports changes, so nothing is cached. Drafts are never cached.

import { connection } from 'next/server';
import { type Article, type Content, findById, findByPath, listArticles } from './content.ts';
import { readVariable } from './read-variable.ts';

/** An event in a webhook call. Only events about content have a content type. */
export interface WebhookEvent {
  readonly type: string;
  readonly data: { readonly id?: string; readonly content_type?: string; readonly events?: readonly WebhookEvent[] };
}

/** If calls do not arrive, pages are at most about this old. */
const LONGEST_SECONDS = 3600;
const PATHS = 'paths';
const tagContent = (id: string) => `content:${id}`;
const tagType = (handle: string) => `type:${handle}`;

export async function readArticles(isDraft: boolean): Promise<readonly Article[]> {
  return listArticles(isDraft, await chooseCaching(isDraft, tagType('article')));
}

/** @param path the path of the page, without the leading slash */
export async function readContent(path: string, isDraft: boolean): Promise<Content | undefined> {
  const found = await findByPath(path, isDraft, await chooseCaching(isDraft, PATHS));
  if (found === undefined || !isCached(isDraft)) return found;
  // Only this request has the tag of the content, so a change to it expires only its own page.
  const content = await findById(found, await chooseCaching(isDraft, tagContent(found.id)));
  return content?.uri === path ? content : undefined;
}

/** Returns the tags of everything that shows the changed content. */
export function listTags({ type, data }: WebhookEvent): readonly string[] {
  if (data.events !== undefined) return [...new Set(data.events.flatMap(listTags))];
  if (data.id === undefined || data.content_type === undefined) return [];
  const tags = [tagContent(data.id), tagType(data.content_type)];
  return type === 'content.updated' ? tags : [...tags, PATHS];
}

async function chooseCaching(isDraft: boolean, tag: string): Promise<RequestInit> {
  // Pages are rendered on request, so a build does not need any content.
  await connection();
  if (!isCached(isDraft)) return { cache: 'no-store' };
  return { cache: 'force-cache', next: { tags: [tag], revalidate: LONGEST_SECONDS } };
}

function isCached(isDraft: boolean): boolean {
  return !isDraft && Boolean(readVariable('GALLEY_WEBHOOK_SECRET'));
}

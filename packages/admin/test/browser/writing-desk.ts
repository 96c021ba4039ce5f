// Creates a site with a content type that has every kind of field, for tests about writing.

import type { Page } from 'playwright-core';
import { callAsOwner, createOwner, EDITOR, type Panel, startPanel } from './panel.ts';

export const SITE = 's_marsh';
export const STORY = 'c_story';
export const STORY_PATH = `/sites/${SITE}/content/${STORY}`;

const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="teal"/></svg>')}`;

const STORY_FIELDS = [
  { handle: 'summary', name: 'Summary', type: 'text', required: true, max_length: 80 },
  { handle: 'notes', name: 'Notes', type: 'text', format: 'markdown' },
  { handle: 'body', name: 'Body', type: 'text', format: 'html' },
  { handle: 'rank', name: 'Rank', type: 'number', integer: true, help_text: 'Higher numbers come first' },
  { handle: 'featured', name: 'Featured', type: 'boolean' },
  { handle: 'seen_on', name: 'Seen on', type: 'date' },
  { handle: 'points', name: 'Points', type: 'list' },
  {
    handle: 'mood',
    name: 'Mood',
    type: 'option',
    options: [
      { label: 'Calm', value: 'calm' },
      { label: 'Wild', value: 'wild' },
    ],
  },
  { handle: 'pictures', name: 'Pictures', type: 'assets', allowed_kinds: ['image/'] },
  { handle: 'related', name: 'Related', type: 'content_links' },
  { handle: 'sections', name: 'Sections', type: 'blocks' },
];

const BLOCK_TYPES = [
  {
    handle: 'quote',
    name: 'Quotation',
    fields: [{ handle: 'words', name: 'Words', type: 'text', required: true }],
  },
  {
    handle: 'columns',
    name: 'Columns',
    fields: [{ handle: 'parts', name: 'Parts', type: 'blocks', allowed_types: ['quote'] }],
  },
];

const RECORDS: readonly object[] = [
  { kind: 'site', id: SITE, name: 'Marsh', default_language: 'en', languages: ['en'], url: 'https://marsh.example' },
  { kind: 'author', id: 'u_ada', site: SITE, name: 'Ada', email: null, profile_photo_url: null },
  ...BLOCK_TYPES.map((type) => ({
    kind: 'content_type',
    id: `t_${type.handle}`,
    site: SITE,
    object_type: 'block',
    ...type,
  })),
  {
    kind: 'content_type',
    id: 't_story',
    site: SITE,
    handle: 'story',
    name: 'Story',
    object_type: 'page',
    uri_pattern: 'stories/{slug}',
    fields: STORY_FIELDS,
  },
  ...['Heron', 'Reeds'].map((name, index) => ({
    kind: 'asset',
    id: `a_${index}`,
    site: SITE,
    name,
    description: null,
    path: `${name}.svg`,
    url: PICTURE,
    extension: 'svg',
    size: 120,
    mime_type: 'image/svg+xml',
    width: 8,
    height: 8,
  })),
  ...['Ebb', 'Flood'].map((name) => ({
    ...buildStory(`c_${name.toLowerCase()}`, name),
    status: 'published',
    fields: { summary: { text: name } },
  })),
  buildStory(STORY, 'Tide'),
];

function buildStory(id: string, name: string) {
  return {
    kind: 'content',
    id,
    site: SITE,
    content_type: 'story',
    author: null,
    language: 'en',
    slug: name.toLowerCase(),
    name,
    status: 'draft',
    fields: {},
  };
}

/** Starts the panel with that site, an owner and an editor. */
export async function startWriting(...parts: Parameters<typeof startPanel>): Promise<Panel> {
  const panel = await startPanel(...parts);
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await panel.service.importRecords(RECORDS);
  return panel;
}

/** Waits until everything is saved. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await page.locator('output[data-status="saved"]').waitFor();
}

/** Saves without waiting for a pause in the writing. */
export async function saveNow(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await waitUntilSaved(page);
}

// Links between content objects: what they contain, and which ones are omitted because the reader cannot see their targets.

import type { ContentBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { blocksOf, linkItemsOf } from './content-parts.ts';
import { RECORDS } from './fixture.ts';
import { contentOf, openReader, type Reader } from './reader.ts';
import { at, content, PRESS } from './records.ts';

const HANDLES = ['headline', 'rank', 'featured', 'starts', 'tags', 'mood', 'gallery', 'body', 'related'];

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  async function read(id: string): Promise<ContentBody> {
    return contentOf(await reader.get(id));
  }

  test('embeds linked content with its documented properties, in order', async () => {
    const [first] = linkItemsOf(await read('c_full'), 'related');
    expect(Object.keys(first ?? {})).toEqual(['sort', 'content_link']);
    expect(Object.keys(first?.content_link ?? {})).toEqual([
      'id',
      'published_at',
      'name',
      'slug',
      'uri',
      'url',
      'fields',
    ]);
    expect(first?.content_link).toMatchObject({
      id: 'c_linked',
      published_at: at(18),
      name: 'Linked',
      slug: 'linked',
      uri: 'articles/linked',
      url: 'https://press.example/articles/linked',
    });
  });

  test('includes all fields of linked content, with assets and blocks', async () => {
    const link = linkItemsOf(await read('c_full'), 'related')[0]?.content_link;
    if (link === undefined) throw new Error('There is no link');
    const linked = await read('c_linked');
    for (const handle of HANDLES) {
      if (handle === 'related' || handle === 'body') continue;
      expect(link.fields[handle], handle).toEqual(linked.fields[handle]);
    }
    expect(link.fields.body).toMatchObject({
      blocks: [
        {
          name: 'Inside',
          sort: 1,
          fields: {
            title: { text: 'Inside linked content' },
            pictures: { assets: [{ sort: 1, asset: { id: 'a_paper' } }] },
          },
        },
      ],
    });
  });

  test('returns links inside linked content as plain ids, including those in blocks', async () => {
    const link = linkItemsOf(await read('c_full'), 'related')[0]?.content_link;
    expect(link?.fields.related).toMatchObject({
      type: 'content_links',
      content_links: ['c_full', 'c_bare', 'c_pending'],
    });
    expect(link?.fields.body).toMatchObject({ blocks: [{ fields: { see_also: { content_links: ['c_full'] } } }] });
  });

  test('omits links to unpublished content and leaves no gaps in the positions', async () => {
    const places = linkItemsOf(await read('c_full'), 'related').map(({ sort, content_link }) => [
      sort,
      content_link.id,
    ]);
    expect(places).toEqual([
      [1, 'c_linked'],
      [2, 'c_bare'],
    ]);
  });

  test('omits invisible links at every depth: in blocks, nested blocks and linked content', async () => {
    const [opening] = blocksOf(await read('c_full'), 'body');
    if (opening === undefined) throw new Error('There is no block');
    expect(linkItemsOf(opening, 'see_also').map(({ content_link }) => content_link.id)).toEqual(['c_bare']);
    let deepest = opening;
    for (let level = 2; level <= 4; level++) deepest = blocksOf(deepest, 'parts')[0] ?? deepest;
    expect(linkItemsOf(deepest, 'see_also').map(({ content_link }) => content_link.id)).toEqual(['c_bare']);
    const { text } = await reader.get('c_full');
    for (const hidden of ['c_draft', 'c_gone', 'c_archived']) expect(text).not.toContain(hidden);
  });

  test('omits links to content on another site', async () => {
    const record = content({ id: 'c_abroad', fields: { mentions: { content_links: ['c_plain', 'c_bare'] } } });
    await reader.service.importRecords([record]);
    const reply = await reader.get('c_abroad');
    expect(linkItemsOf(contentOf(reply), 'mentions').map(({ content_link }) => content_link.id)).toEqual(['c_bare']);
    expect(reply.text).not.toContain('c_plain');
  });

  test('includes a link once its target is published, and omits it once the target is unpublished', async () => {
    const related = async () => linkItemsOf(await read('c_full'), 'related').map(({ content_link }) => content_link.id);
    await reader.service.publish(PRESS, 'c_gone');
    expect(await related()).toEqual(['c_linked', 'c_gone', 'c_bare']);
    await reader.service.unpublish(PRESS, 'c_gone');
    expect(await related()).toEqual(['c_linked', 'c_bare']);
  });
});

// Objects may be large, and links show whole objects inside others; an answer stays within bounds all the same.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf, idsOf, openReader, type Reader } from './reader.ts';
import { content, contentType, PRESS, site } from './records.ts';

const COUNT = 60;
const IDS = Array.from({ length: COUNT }, (_, index) => `c_${index}`);
const TEXT = 'long text '.repeat(2000);

let reader: Reader;

beforeAll(async () => {
  reader = await openReader([
    site(PRESS),
    contentType(PRESS, 'story', [
      { handle: 'body', type: 'text' },
      { handle: 'related', type: 'content_links' },
    ]),
    ...IDS.map((id) =>
      content({ id, content_type: 'story', fields: { body: { text: TEXT }, related: { content_links: IDS } } }),
    ),
  ]);
});

afterAll(() => reader.close());

test('refuses a list that would be larger than a process should hold, and says how to ask for less', async () => {
  expect(errorOf(await reader.list(`limit=${COUNT}`))).toEqual([
    422,
    `The ${COUNT} objects together are larger than 32 MB; ask for fewer with the limit parameter.`,
  ]);
});

test('answers the same list in smaller parts', async () => {
  expect(idsOf(await reader.list('limit=5'))).toHaveLength(5);
});

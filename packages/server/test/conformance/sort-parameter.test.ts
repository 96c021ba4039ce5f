// The sort parameter: how several values are written, how many are allowed, and what is rejected.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { ATTRIBUTES, LIBRARY_RECORDS, LIBRARY_TYPES } from './library.ts';
import { errorOf, idsOf, openReader, type Reader, SIMPLE } from './reader.ts';

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(LIBRARY_RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  /** The order of the whole list; both modes must agree on it. */
  async function order(query: string): Promise<readonly string[]> {
    const ids = idsOf(await reader.list(`${query}&limit=100`));
    expect(idsOf(await reader.list(`${query}&limit=100`, SIMPLE)), `${query} in simple mode`).toEqual(ids);
    return ids;
  }

  async function refusal(query: string): Promise<string> {
    const [status, message] = errorOf(await reader.list(query));
    expect(status, query).toBe(422);
    return message;
  }

  test('rejects an unknown attribute', async () => {
    for (const attribute of ['id', 'Name', 'author', 'language', 'fields', 'title', '__proto__', 'constructor']) {
      expect(await refusal(`sort=${attribute}:asc`)).toBe(
        `The sort parameter does not support "${attribute}"; the allowed values are published_at, created_at, updated_at, name, slug, uri, <handle>.text and <handle>.number.`,
      );
    }
  });

  test('rejects an unknown direction', async () => {
    for (const direction of ['up', 'ASC', 'Desc', '', '1', 'asc:desc', 'asc ', 'ascending']) {
      expect(await refusal(`sort=name:${encodeURIComponent(direction)}`)).toBe(
        `The sort parameter has the direction ${JSON.stringify(direction)}; asc and desc are allowed.`,
      );
    }
  });

  test('rejects an unknown accessor', async () => {
    for (const accessor of ['is_on', 'value', 'Text', '', 'selected_option']) {
      expect(await refusal(`sort=title.${accessor}:asc`)).toBe(
        `The sort parameter has the accessor "${accessor}"; text and number are allowed.`,
      );
    }
  });

  test('rejects a field that no content type on the site has', async () => {
    for (const handle of ['nothing', 'Title', '', '__proto__', 'a.b']) {
      expect(await refusal(`sort=${handle}.text:asc`)).toBe(
        `The sort parameter names the field "${handle}", which does not exist in any content type in the site.`,
      );
    }
  });

  test("rejects an accessor that does not fit the field's type", async () => {
    expect(await refusal('sort=title.number:asc')).toMatch(/"title" as number, but its type is text;/);
    expect(await refusal('sort=pages.text:asc')).toMatch(/"pages" as text, but its type is number;/);
    expect(await refusal('sort=shelf.text:asc')).toMatch(/"shelf" as text, but its type is option;/);
  });

  test('rejects a repeated attribute, in any direction', async () => {
    expect(await refusal('sort[]=name:asc&sort[]=name:desc')).toBe(
      'The sort parameter names "name" twice; only once is allowed.',
    );
    expect(await refusal('sort=name&sort=slug&sort=name:asc')).toContain('"name" twice');
    expect(await refusal('sort=title.text:asc&sort=title.text:desc')).toContain('"title.text" twice');
  });

  test('accepts up to eight sort values and rejects a ninth', async () => {
    const eight = [...ATTRIBUTES, 'title.text', 'pages.number'].map((key) => `sort[]=${key}:desc`);
    expect((await order(`${LIBRARY_TYPES}&${eight.join('&')}`)).slice(0, 4)).toEqual(['b_1', 'b_2', 'b_3', 'b_4']);
    expect(await refusal([...eight, 'sort[]=minutes.number'].join('&'))).toBe(
      'The sort parameter has 9 values; at most 8 are allowed.',
    );
  });

  test('accepts several sort values in every array syntax, and orders numbered ones by number', async () => {
    const expected = await order('content_type=pair&sort[0]=second.number:desc&sort[1]=first.text:desc');
    for (const spelling of [
      'sort[1]=first.text:desc&sort[0]=second.number:desc',
      'sort[]=second.number:desc&sort[]=first.text:desc',
      'sort=second.number:desc&sort=first.text:desc',
      'sort%5B%5D=second.number%3Adesc&sort%5B%5D=first.text%3Adesc',
      'sort[]=second.number:desc&sort[]=&sort[]=first.text:desc',
    ]) {
      expect(await order(`content_type=pair&${spelling}`), spelling).toEqual(expected);
    }
  });
});

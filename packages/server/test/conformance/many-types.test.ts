// Lists work as usual on a site with more content types than a database can merge in one query.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { walk } from './list-walk.ts';
import { idsOf, openReader, type Reader, SIMPLE, simpleListOf } from './reader.ts';
import { content, contentType, PRESS, site } from './records.ts';

const COUNT = 360;
const LINE = [{ handle: 'line', type: 'text' }];

/** Each type has one object, named after the type's number. Of every four types, three have the field and one has a value. */
const TYPES = Array.from({ length: COUNT }, (_, index) => ({
  number: String(index).padStart(3, '0'),
  hasField: index % 4 < 3,
  hasValue: index % 4 === 0,
}));

const withValue = TYPES.filter(({ hasValue }) => hasValue).map(({ number }) => `c_${number}`);
const without = TYPES.filter(({ hasValue }) => !hasValue).map(({ number }) => `c_${number}`);

let reader: Reader;
let previewToken: string;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(
      [
        site(PRESS, { languages: ['en', 'fr'] }),
        ...TYPES.map(({ number, hasField }) => contentType(PRESS, `type_${number}`, hasField ? LINE : [])),
        ...TYPES.map(({ number, hasValue }) =>
          content({
            id: `c_${number}`,
            content_type: `type_${number}`,
            name: number,
            fields: hasValue ? { line: { text: number } } : {},
          }),
        ),
      ],
      {},
      { engine },
    );
    previewToken = (await reader.service.createKey({ sites: [PRESS], preview: true })).token;
  });

  afterAll(() => reader.close());

  /** Request options that make the query larger: another language and previews. */
  function ways() {
    const french = { 'x-service-language': 'fr' };
    return [
      {},
      { headers: french },
      { token: previewToken, headers: { 'x-service-preview': 'true' } },
      { token: previewToken, headers: { ...french, 'x-service-preview': 'true' } },
    ];
  }

  const FALLBACK = 'fallback_default_language=true';

  test('sorts by a field across hundreds of content types, with fallbacks and previews', async () => {
    for (const options of ways()) {
      const ascending = await walk(reader, `sort=line.text:asc&limit=100&${FALLBACK}`, options);
      expect(ascending.flatMap(idsOf)).toEqual([...withValue, ...without]);
      const descending = await walk(reader, `sort=line.text:desc&limit=90&${FALLBACK}`, options);
      expect(descending.flatMap(idsOf)).toEqual([...withValue.toReversed(), ...without]);
    }
  });

  test('sorts by a field across hundreds of content types in simple mode, and counts the objects', async () => {
    const last = simpleListOf(await reader.list('sort=line.text:asc&limit=100&page=4', SIMPLE));
    expect(last.data.map(({ id }) => id)).toEqual(without.slice(-60));
    expect(last.meta.total).toBe(COUNT);
  });

  test('accepts as many filter values as fit in a URL on a site with hundreds of content types', async () => {
    const values = Array.from({ length: 100 }, (_, index) => `slug=${TYPES[index]?.number}&author=u_${index}`).join(
      '&',
    );
    const types = TYPES.slice(0, 100).map(({ number }) => `content_type=type_${number}`);
    for (const options of ways()) {
      const query = `sort=line.text&sort=name&match=any&${FALLBACK}&${types.join('&')}`;
      expect(idsOf(await reader.list(`${query}&limit=3`, options))).toEqual(withValue.slice(0, 3));
      expect(idsOf(await reader.list(`sort=line.text&match=any&${FALLBACK}&${values}`, options))).toEqual([]);
    }
  });
});

// Filters on custom fields: what each accessor matches, and what is rejected.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { RECORDS } from './fixture.ts';
import { errorOf, idsOf, openReader, type Reader } from './reader.ts';
import { content, contentType, PRESS } from './records.ts';

const LONG_TEXT = 'x'.repeat(2000);
const SWITCHBOARDS = ['c_lit', 'c_unlit', 'c_unset', 'c_unset_too'];

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(
      [
        ...RECORDS,
        contentType(PRESS, 'switchboard', [
          { handle: 'lit', type: 'boolean' },
          { handle: 'label', type: 'text' },
          { handle: 'headline', type: 'number' },
        ]),
        content({
          id: 'c_lit',
          content_type: 'switchboard',
          fields: { lit: { is_on: true }, headline: { number: 5 } },
        }),
        content({ id: 'c_unlit', content_type: 'switchboard', fields: { lit: { is_on: false } } }),
        content({ id: 'c_unset', content_type: 'switchboard', fields: { label: { text: `${LONG_TEXT}a` } } }),
        content({ id: 'c_unset_too', content_type: 'switchboard', fields: { label: { text: `${LONG_TEXT}b` } } }),
      ],
      {},
      { engine },
    );
  });

  afterAll(() => reader.close());

  /** The ids in a list, sorted, because these tests only check which content matches. */
  async function matches(query: string): Promise<readonly string[]> {
    return [...idsOf(await reader.list(`${query}&limit=100`))].sort();
  }

  async function refusal(query: string): Promise<string> {
    const [status, message] = errorOf(await reader.list(query));
    expect(status, query).toBe(422);
    return message;
  }

  test("filters by a field's exact text across all types with that field", async () => {
    expect(await matches('fields[text][headline]=Linked%20story')).toEqual(['c_linked', 'c_note_sea']);
    expect(await matches('fields[text][headline]=linked%20story')).toEqual(['c_note_sky']);
    expect(await matches('fields[text][headline]=Linked')).toEqual([]);
    expect(await matches('fields[text][headline]=Linked%20story%20')).toEqual([]);
  });

  test('compares long text in full', async () => {
    expect(await matches(`fields[text][label]=${LONG_TEXT}b`)).toEqual(['c_unset_too']);
    expect(await matches(`fields[text][label]=${LONG_TEXT}`)).toEqual([]);
  });

  test("filters by a field's number in any notation", async () => {
    for (const value of ['7', '7.0', '07', '0.7e1', '70e-1']) {
      expect(await matches(`fields[number][rank]=${value}`), value).toEqual(['c_full', 'c_note_sea', 'c_pending']);
    }
    expect(await matches('fields[number][rank]=2.5')).toEqual(['c_note_sky']);
    expect(await matches('fields[number][rank]=-2')).toEqual(['c_linked']);
    expect(await matches('fields[number][rank]=8')).toEqual([]);
  });

  test('rejects a number filter that is not a number', async () => {
    for (const value of ['seven', '0x7', '7,0', 'NaN', 'Infinity', '1e999', '--7', '+7', '7%20', 'null']) {
      expect(await refusal(`fields[number][rank]=${value}`)).toMatch(
        /^The fields\[number\]\[rank\] parameter is ".*"; a number is allowed\.$/,
      );
    }
  });

  test('filters by a switch, which is off in content where it was never set', async () => {
    for (const on of ['true', '1']) expect(await matches(`fields[is_on][lit]=${on}`)).toEqual(['c_lit']);
    for (const off of ['false', '0']) {
      expect(await matches(`fields[is_on][lit]=${off}`)).toEqual(['c_unlit', 'c_unset', 'c_unset_too']);
    }
    expect(await matches('fields[is_on][lit]=true&fields[is_on][lit]=false')).toEqual([]);
    expect(await matches('fields[is_on][lit]=true&fields[is_on][lit]=false&match=any')).toEqual(SWITCHBOARDS);
    for (const wrong of ['on', 'yes', 'TRUE', '2']) {
      expect(await refusal(`fields[is_on][lit]=${wrong}`)).toBe(
        `The fields[is_on][lit] parameter is "${wrong}"; true, false, 1 and 0 are allowed.`,
      );
    }
  });

  test("filters by the selected option's value, not its label", async () => {
    expect(await matches('fields[selected_option][mood]=wild')).toEqual(['c_full']);
    expect(await matches('fields[selected_option][mood]=Wild')).toEqual([]);
    expect(await matches('fields[selected_option][mood]=nothing')).toEqual([]);
    expect(await matches('fields[selected_option][mood]=wild&fields[selected_option][mood]=calm')).toEqual([]);
    expect(await matches('fields[selected_option][mood]=wild&fields[selected_option][mood]=calm&match=any')).toEqual([
      'c_full',
      'c_linked',
    ]);
  });

  test('filters by the slug or the id of linked content', async () => {
    for (const [by, value] of [
      ['slug', 'linked'],
      ['id', 'c_linked'],
    ] as const) {
      expect(await matches(`fields[content_links][mentions][${by}]=${value}`)).toEqual(['c_note_sea', 'c_note_sky']);
      expect(await matches(`fields[content_links][related][${by}]=${value}`)).toEqual(['c_full']);
      expect(await matches(`fields[content_links][mentions][${by}][]=${value}`)).toEqual(['c_note_sea', 'c_note_sky']);
    }
    expect(await matches('fields[content_links][mentions][slug]=c_linked')).toEqual([]);
  });

  test('combines several links with AND, because content can have several', async () => {
    const both = 'fields[content_links][mentions][id][]=c_linked&fields[content_links][mentions][id][]=c_bare';
    expect(await matches(both)).toEqual(['c_note_sea']);
    expect(await matches(`${both}&match=any`)).toEqual(['c_note_sea', 'c_note_sky']);
    expect(
      await matches('fields[content_links][mentions][id]=c_linked&fields[content_links][mentions][slug]=bare'),
    ).toEqual(['c_note_sea']);
  });

  test('does not match links that the reader cannot see', async () => {
    for (const query of [
      '[mentions][id]=c_draft',
      '[mentions][slug]=draft',
      '[related][id]=c_gone',
      '[related][slug]=gone',
    ]) {
      expect(await matches(`fields[content_links]${query}`), query).toEqual([]);
    }
  });

  test('rejects a field filter if no content type has a field with that handle and type', async () => {
    for (const [accessor, type] of [
      ['text', 'text'],
      ['number', 'number'],
      ['is_on', 'boolean'],
      ['selected_option', 'option'],
    ] as const) {
      expect(await refusal(`fields[${accessor}][nothing]=1`)).toBe(
        `The fields parameter names "nothing"; no content type of the site has a field of type ${type} with this handle.`,
      );
    }
    expect(await refusal('fields[content_links][nothing][id]=1')).toContain('"nothing"');
    for (const handle of ['summary', 'rank', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      expect(await refusal(`fields[text][${handle}]=1`)).toContain('fields');
    }
  });

  test('uses only the fields that fit the accessor when fields with the same handle have different types', async () => {
    expect(await matches('fields[number][headline]=5')).toEqual(['c_lit']);
    expect(await matches('fields[text][headline]=5')).toEqual([]);
  });

  test('rejects malformed field filters', async () => {
    const malformed = [
      'fields=x',
      'fields[]=x',
      'fields[text]=x',
      'fields[headline]=x',
      'fields[text][]=x',
      'fields[date][starts]=x',
      'fields[list][tags]=sea',
      'fields[assets][gallery]=a_cover',
      'fields[blocks][body]=x',
      'fields[text][headline][slug]=x',
      'fields[content_links][related]=c_bare',
      'fields[content_links][related][]=c_bare',
      'fields[content_links][related][name]=x',
      'fields[content_links][related][id][a]=x',
      'fields[text][headline][0][0][0]=x',
    ];
    for (const query of malformed) expect(await refusal(query), query).toMatch(/^The fields/);
  });
});

// Reads the save number of every object through every kind of delivery request: by ID, in lists, and by field values.

import { expect } from 'vitest';

/** The number of the save that an object's values come from, or null if the object is not published. */
export type Mark = number | null;

export interface Access {
  readonly url: string;
  readonly siteId: string;
  readonly key: string;
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly fields: {
    readonly line: { readonly text: string };
    readonly rank: { readonly number: number };
    readonly kind: { readonly selected_option: { readonly value: string } };
  };
}

/** Reads by ID. The list of all objects must match. */
export async function readMarks(access: Access, ids: readonly string[]): Promise<ReadonlyMap<string, Mark>> {
  const marks = new Map<string, Mark>();
  for (const id of ids) {
    const { status, body } = await read(access, `/${id}`);
    expect([200, 404]).toContain(status);
    marks.set(id, status === 404 ? null : readMark(asShown(body)));
  }
  const listed = await list(access, 'limit=100');
  const published = [...marks].filter(([, mark]) => mark !== null);
  expect(new Map(listed.map((shown) => [shown.id, readMark(shown)]))).toEqual(new Map(published));
  return marks;
}

/** Reads the same numbers through filters. Objects that no filter matches count as not published. */
export async function readMarksByFilter(
  access: Access,
  expected: ReadonlyMap<string, Mark>,
): Promise<ReadonlyMap<string, Mark>> {
  const marks = new Map<string, Mark>([...expected.keys()].map((id) => [id, null]));
  const optioned = await list(access, 'limit=100&fields[selected_option][kind]=a');
  for (const mark of expected.values()) {
    if (mark === null) continue;
    const byText = await list(access, `fields[text][line]=line ${mark}`);
    const byNumber = await list(access, `fields[number][rank]=${mark}`);
    expect(byText.map(({ id }) => id)).toEqual(byNumber.map(({ id }) => id));
    for (const shown of byText) {
      expect(optioned.map(({ id }) => id)).toContain(shown.id);
      marks.set(shown.id, readMark(shown));
    }
  }
  return marks;
}

/** Throws if the values of an object come from different saves. */
function readMark({ name, fields }: Shown): number {
  const mark = fields.rank.number;
  expect([name, fields.line.text, fields.kind.selected_option.value]).toEqual([`Mark ${mark}`, `line ${mark}`, 'a']);
  return mark;
}

async function list(access: Access, query: string): Promise<readonly Shown[]> {
  const { status, body } = await read(access, `?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  // A list of exactly one object has no envelope.
  return isEnvelope(body) ? body.data : [asShown(body)];
}

async function read({ url, siteId, key }: Access, path: string): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${key}`, 'x-service-site': siteId };
  const response = await fetch(`${url}/api/v1/content${path}`, { headers });
  return { status: response.status, body: await response.json() };
}

function isEnvelope(body: unknown): body is { readonly data: readonly Shown[] } {
  return typeof body === 'object' && body !== null && 'data' in body;
}

function asShown(body: unknown): Shown {
  return body as Shown;
}

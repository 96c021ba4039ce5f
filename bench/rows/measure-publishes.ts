// Measures how long a publish takes on a small and on a large site. Content is first saved (this is not measured) and
// then published through the management API of the running service, one object at a time, alternating between the two
// sites.

import { listIds } from '../cases.ts';
import { SITE_ID } from '../content.ts';
import type { Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';
import { call, createEditor, type Editor } from './editor.ts';

export interface MeasuredPublishes {
  readonly size: number;
  readonly milliseconds: readonly number[];
}

interface MeasuredEditor extends Editor {
  readonly size: number;
  readonly ids: readonly string[];
  readonly milliseconds: number[];
}

const WARM_UP = 10;

/** @param count the number of publishes on each site */
export async function measurePublishes(
  scratch: Scratch,
  sites: readonly Site[],
  count: number,
): Promise<readonly MeasuredPublishes[]> {
  const editors: MeasuredEditor[] = [];
  for (const site of sites) {
    const editor = await createEditor(scratch, site.databaseUrl, site.reader.origin);
    editors.push({ ...editor, size: site.size, ids: listIds(site, count + WARM_UP), milliseconds: [] });
  }
  for (let turn = 0; turn < count + WARM_UP; turn++) {
    for (const editor of editors) {
      const milliseconds = await publishOne(editor, editor.ids[turn % editor.ids.length] ?? '');
      if (turn >= WARM_UP) editor.milliseconds.push(milliseconds);
    }
  }
  return editors.map(({ size, milliseconds }) => ({ size, milliseconds }));
}

/** Returns how long the publish took, in milliseconds. */
export async function publishOne(editor: Editor, id: string): Promise<number> {
  const path = `/manage/v1/sites/${SITE_ID}/content/${id}`;
  const { name, version } = asContent(await call(editor, 'GET', path));
  await call(editor, 'PUT', path, { version, name: rotateWords(name) });
  const startedAt = performance.now();
  await call(editor, 'POST', `${path}/publish`, {});
  return performance.now() - startedAt;
}

/** A different name of the same length, so that the publish changes a sort key. */
export function rotateWords(name: string): string {
  const [first = '', ...others] = name.split(' ');
  return [...others, first].join(' ');
}

interface Content {
  readonly name: string;
  readonly version: number;
}

/** Casts a response from the management API. */
function asContent(value: unknown): Content {
  return value as Content;
}

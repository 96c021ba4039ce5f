// Measures how long a publish takes on a small and on a large site. Content is first saved (this is not measured) and
// then published through the management API of the running service, one object at a time, alternating between the two
// sites.

import { Agent, request } from 'node:http';
import { listIds } from '../cases.ts';
import { SITE_ID } from '../content.ts';
import { runGalley } from '../galley-process.ts';
import type { Site } from '../open-site.ts';
import { readToken } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';

export interface MeasuredPublishes {
  readonly size: number;
  readonly milliseconds: readonly number[];
}

/** Publishes with a management token. */
export interface Editor {
  readonly origin: string;
  readonly token: string;
}

interface MeasuredEditor extends Editor {
  readonly size: number;
  readonly ids: readonly string[];
  readonly milliseconds: number[];
}

const WARM_UP = 10;
const agent = new Agent({ keepAlive: true });

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

export async function createEditor(scratch: Scratch, databaseUrl: string, origin: string): Promise<Editor> {
  const created = await runGalley(scratch, databaseUrl, ['token', 'create', '--name', 'Bench', '--json']);
  return { origin, token: readToken(created.output) };
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

function call({ origin, token }: Editor, method: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${origin}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path} returned ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

interface Content {
  readonly name: string;
  readonly version: number;
}

/** Casts a response from the management API. */
function asContent(value: unknown): Content {
  return value as Content;
}

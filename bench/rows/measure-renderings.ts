// Measures how long it takes to render an unsaved article with many blocks of HTML, as the panel's preview does while somebody types: each
// rendering has different text in one block. The renderings alternate with reads of the saved version of the same article.

import type { Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';
import { call, createEditor, type Editor } from './editor.ts';

export interface MeasuredRenderings {
  readonly blocks: number;
  /** The size of the request. */
  readonly bytes: number;
  /** In milliseconds. */
  readonly renderings: readonly number[];
  /** Renderings with marks, also in milliseconds. */
  readonly marked: readonly number[];
  readonly reads: readonly number[];
}

const SITE = 's_bench_render';
const SITE_PATH = `/manage/v1/sites/${SITE}`;
const BLOCKS = 200;
const WARM_UP = 10;
const HTML = [{ handle: 'text', name: 'Text', type: 'text', format: 'html' }];

/** @param count the number of renderings of each kind */
export async function measureRenderings(scratch: Scratch, site: Site, count: number): Promise<MeasuredRenderings> {
  const editor = await createEditor(scratch, site.databaseUrl, site.reader.origin);
  await call(editor, 'POST', '/manage/v1/sites', { id: SITE, name: 'Renderings' });
  const part = { handle: 'part', name: 'Part', object_type: 'block', fields: HTML };
  await call(editor, 'POST', `${SITE_PATH}/types`, part);
  const fields = [{ handle: 'body', name: 'Body', type: 'blocks' }];
  await call(editor, 'POST', `${SITE_PATH}/types`, { handle: 'article', name: 'Article', object_type: 'page', fields });
  const article = { id: 'c_render', content_type: 'article', name: 'Article', ...buildDraft(0) };
  await call(editor, 'POST', `${SITE_PATH}/content`, article);
  const path = `${SITE_PATH}/content/c_render`;
  const measured = { renderings: [] as number[], marked: [] as number[], reads: [] as number[] };
  for (let turn = 1; turn <= count + WARM_UP; turn++) {
    const body = JSON.stringify(buildDraft(turn));
    const rendering = await time(editor, 'POST', `${path}/render`, body);
    const marked = await time(editor, 'POST', `${path}/render?marks=true`, JSON.stringify(buildDraft(-turn)));
    const read = await time(editor, 'GET', path);
    if (turn <= WARM_UP) continue;
    measured.renderings.push(rendering);
    measured.marked.push(marked);
    measured.reads.push(read);
  }
  await call(editor, 'DELETE', `${SITE_PATH}?confirm=${SITE}`);
  return { blocks: BLOCKS, bytes: Buffer.byteLength(JSON.stringify(buildDraft(1))), ...measured };
}

async function time(editor: Editor, method: string, path: string, body?: string): Promise<number> {
  const startedAt = performance.now();
  await call(editor, method, path, body);
  return performance.now() - startedAt;
}

/** Articles with different numbers have different text in one block. */
function buildDraft(number: number): object {
  const blocks = Array.from({ length: BLOCKS }, (_, index) => ({
    content_type: 'part',
    name: null,
    fields: { text: { text: buildHtml(index, index === Math.abs(number) % BLOCKS ? number : 0) } },
  }));
  return { fields: { body: { blocks } } };
}

function buildHtml(index: number, number: number): string {
  const sentence = `Paragraph ${index} with <b>bold</b> text and a <a href="/page-${index}">link</a>. `;
  return `<h2>Part ${index}.${number}</h2><p>${sentence.repeat(5)}</p>`;
}

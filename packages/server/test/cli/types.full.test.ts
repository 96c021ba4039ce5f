// Checks the output of `galley types` against the compiler and against real responses.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandOutcome, makeFolder, runGalley } from '../support/galley-command.ts';
import { startService } from '../support/service.ts';
import { toLines } from '../support/small-site.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const STRICTEST = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    types: [],
  },
};

interface Delivered {
  readonly content_type: { readonly handle: string };
}

interface Workshop {
  readonly path: string;
  run(...args: readonly string[]): Promise<CommandOutcome>;
  /** Every response from the delivery API for a site. */
  readAll(site: string, languages: readonly string[]): Promise<Record<'published' | 'previews', readonly Delivered[]>>;
  /** The compiler errors for all files in a folder. */
  compile(folder: string): Promise<string>;
  close(): Promise<void>;
}

async function openWorkshop(): Promise<Workshop> {
  const folder = await makeFolder();
  const { path } = folder;
  await writeFile(join(path, 'package.json'), '{"type":"module"}');
  const url = { engine: 'sqlite', path: join(path, 'galley.db') } as const;
  const service = await startService({}, { createDatabase: async () => ({ url, remove: async () => {} }) });
  return {
    path,
    run: (...args) => runGalley(args, { cwd: path, env: { GALLEY_DATABASE_URL: `sqlite:${url.path}` } }),
    async readAll(site, languages) {
      const key = await service.createKey({ sites: [site], preview: true });
      const found: Record<'published' | 'previews', Delivered[]> = { published: [], previews: [] };
      for (const [kind, language] of (['published', 'previews'] as const).flatMap((kind) =>
        languages.map((language) => [kind, language] as const),
      )) {
        for (let next: string | null = '?limit=100'; next !== null; ) {
          const response: Response = await fetch(`${service.url}/api/v1/content${next}`, {
            headers: {
              authorization: `Bearer ${key.token}`,
              'x-service-site': site,
              'x-service-language': language,
              'x-service-preview': String(kind === 'previews'),
            },
          });
          const body = (await response.json()) as { data: Delivered[]; links: { next: string | null } };
          found[kind].push(...body.data);
          next = body.links.next === null ? null : new URL(body.links.next).search;
        }
      }
      return found;
    },
    async compile(name) {
      await writeFile(join(path, name, 'tsconfig.json'), JSON.stringify(STRICTEST));
      const child = spawn(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', name], { cwd: path });
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
      return output;
    },
    async close() {
      await service.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function toChecks(objects: readonly Delivered[], { map = 'ContentTypes', from = './content.ts' } = {}): string {
  const checks = objects.map(
    (object) => `${JSON.stringify(object)} satisfies ${map}['${object.content_type.handle}'],`,
  );
  return `import type { ${map} } from '${from}';\nexport const answers = [\n${checks.join('\n')}\n];\n`;
}

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
  for (const folder of ['demo', 'nasty', 'wrong']) await mkdir(join(workshop.path, folder));
});

afterAll(() => workshop.close());

describe('the types of the demo site', () => {
  beforeAll(async () => {
    await workshop.run('import', join(REPOSITORY, 'packages/server/demo/magazine.ndjson'));
    expect(await workshop.run('types', '--site', 's_demo', '--out', 'demo/content.ts')).toMatchObject({
      status: 0,
      stdout: 'Wrote the types for s_demo to demo/content.ts.\n',
    });
  });

  test('compile under the strictest settings, match every response from the service, and describe the values of each field exactly', async () => {
    const { published, previews } = await workshop.readAll('s_demo', ['en', 'fr']);
    expect(published.length).toBeGreaterThan(80);
    expect(previews.length).toBeGreaterThan(90);
    await writeFile(join(workshop.path, 'demo/answers.ts'), toChecks(published));
    await writeFile(join(workshop.path, 'demo/previews.ts'), toChecks(previews, { map: 'PreviewTypes' }));
    await writeFile(
      join(workshop.path, 'demo/uses.ts'),
      `import type { AnyContent, Article, ContentTypes, GalleyPreview, OfType, Site } from './content.ts';
      declare const article: Article;
      declare const linked: Article<'linked'>;
      const { fields } = article;
      export const ids: readonly string[] = linked.fields.related.content_links;
      export const required: string = fields.standfirst.text;
      declare const draft: Article<GalleyPreview>;
      export const text: string | null = draft.fields.standfirst.text;
      export const inLinked = draft.fields.related.content_links.map((link) => link.content_link.fields);
      export const minutes: number | null = fields.reading_time.number;
      export const isOn: boolean = fields.is_featured.is_on;
      export const day: string | null = fields.reported_on.date;
      export const points: readonly string[] = fields.key_points.list.map((point) => point.text);
      export const format: 'essay' | 'interview' | 'guide' | 'photo_story' | 'letter' | undefined =
        fields.format.selected_option?.value;
      export const mime: string | undefined = fields.cover.assets[0]?.asset.mime_type;
      type Section = (typeof fields.sections.blocks)[number];
      function isQuote(block: Section): block is OfType<Section, 'quote'> {
        return block.content_type.handle === 'quote';
      }
      export const quotes = fields.sections.blocks.filter(isQuote).map((quote) => quote.fields);
      export const slugs: readonly string[] = fields.related.content_links.map((link) => link.content_link.slug);
      export const handles: readonly (keyof ContentTypes)[] = ['article', 'author_page', 'category', 'page'];
      export const kinds = (content: AnyContent): 'page' | 'entry' => content.content_type.object_type;
      export const post: Site['contentTypes']['article'] = article;
      export const languages: readonly Site['languages'][] = ['en', 'fr'];
      // Incorrect uses: the compiler must reject each line.
      // @ts-expect-error no such language
      export const language: Site['languages'] = 'de';
      // @ts-expect-error the number may be null, because the field is not required
      fields.reading_time.number.toFixed();
      // @ts-expect-error the text may be null in a draft
      draft.fields.standfirst.text.length;
      // @ts-expect-error a draft is not a published article
      export const published: Article = draft;
      // @ts-expect-error no such accessor
      fields.standfirst.number;
      // @ts-expect-error no such field
      fields.nothing;
      // @ts-expect-error no such option
      fields.format.selected_option?.value === 'novel';
      // @ts-expect-error the first asset may be missing
      fields.cover.assets[0].asset;
      // @ts-expect-error no such block type
      fields.sections.blocks[0]?.content_type.handle === 'article';
      // @ts-expect-error the text is read-only
      fields.standfirst.text = '';
      // @ts-expect-error linked content has only the IDs of its own links
      linked.fields.related.content_links[0]?.content_link;
      // @ts-expect-error a block is not content
      export const wrong: keyof ContentTypes = 'quote';
      `,
    );
    expect(await workshop.compile('demo')).toBe('');
  });

  test('are identical on every run, including on standard output', async () => {
    const file = await readFile(join(workshop.path, 'demo/content.ts'), 'utf8');
    expect(await workshop.run('types', '--site', 's_demo')).toMatchObject({ status: 0, stdout: file, stderr: '' });
    const again = await workshop.run('types', '--site', 's_demo', '--out', 'demo/content.ts', '--json');
    expect(JSON.parse(again.stdout)).toEqual({ file: 'demo/content.ts', site: 's_demo' });
    expect(await readFile(join(workshop.path, 'demo/content.ts'), 'utf8')).toBe(file);
  });

  test('replace only files that the command has written, unless --force is given', async () => {
    const path = join(workshop.path, 'mine.txt');
    await writeFile(path, 'mine');
    const refused = await workshop.run('types', '--site', 's_demo', '--out', 'mine.txt');
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('--force') });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(await workshop.run('types', '--site', 's_demo', '--out', 'mine.txt', '--force')).toMatchObject({
      status: 0,
    });
    expect(await workshop.run('types', '--site', 's_none')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no site s_none.'),
    });
    expect(await workshop.run('types')).toMatchObject({ status: 2 });
  });
});

describe('the types of a site with awkward names', () => {
  const HANDLES = [
    ...['class', 'constructor', 'a1', 'a_1', 'a__1', 'in', 'place', 'extract', 'object', 'array', 'string', 'readonly'],
    ...['galley', 'galley_content', 'galley_text_field', 'content_types', 'any_content', 'of_type', 'site', 'function'],
    `x${'_'.repeat(62)}x`,
    'y'.repeat(64),
  ];
  const VALUES = [
    'it\'s "quoted"',
    'two\nlines',
    'back\\slash',
    '\u0024{text}`',
    'a\u2028b',
    '*/',
    'emoji 🎈',
    'plain',
  ];
  /** Field types whose value may be null. Each one occurs both as a required and as an optional field. */
  const REQUIRED = [
    { handle: 'must_text', type: 'text' },
    { handle: 'must_number', type: 'number' },
    { handle: 'must_date', type: 'date' },
    { handle: 'must_option', type: 'option', options: [{ label: 'In', value: 'In' }] },
  ];
  const MUST = {
    must_text: { text: 'x' },
    must_number: { number: 0 },
    must_date: { date: '2026-05-01T00:00:00Z' },
    must_option: { selected_option: 'In' },
  };
  const NASTY_NAME = 'Ends */ here\nand `goes` \u0024{on} \u2028 // there';

  function fieldsOf(index: number) {
    return [
      ...HANDLES.slice(0, 8).map((handle) => ({ handle, name: NASTY_NAME, help_text: NASTY_NAME, type: 'text' })),
      { handle: 'new', type: 'option', options: VALUES.map((value) => ({ label: value, value })) },
      { handle: 'get', type: 'content_links', ...(index === 0 ? { allowed_types: ['place', 'nobody'] } : {}) },
      { handle: 'static', type: 'blocks', ...(index === 1 ? { allowed_types: ['nobody'] } : {}) },
      { handle: 'secret', type: 'text', hidden: true },
      ...REQUIRED.map((field) => ({ ...field, required: true })),
      ...REQUIRED.map((field) => ({ ...field, handle: field.handle.replace('must', 'may') })),
    ];
  }

  beforeAll(async () => {
    const site = 's_nasty';
    const records = [
      { kind: 'site', id: site, name: NASTY_NAME, default_language: 'en', languages: ['en'], url: null },
      ...HANDLES.map((handle, index) => ({
        kind: 'content_type',
        id: `t_${index}`,
        site,
        handle,
        name: NASTY_NAME,
        fields: fieldsOf(index),
      })),
      {
        kind: 'content_type',
        id: 't_block',
        site,
        handle: 'block',
        name: 'Block',
        object_type: 'block',
        fields: fieldsOf(9),
      },
      { kind: 'content_type', id: 't_empty', site, handle: 'empty', name: 'Empty', object_type: 'block', fields: [] },
      ...HANDLES.map((handle, index) => ({
        kind: 'content',
        id: `c_${index}`,
        site,
        content_type: handle,
        language: 'en',
        slug: `slug-${index}`,
        name: NASTY_NAME,
        status: 'published',
        fields: {
          class: { text: NASTY_NAME },
          new: { selected_option: VALUES[index % VALUES.length] },
          get: { content_links: index === 0 ? ['c_6'] : ['c_0', 'c_6'] },
          secret: { text: 'secret' },
          ...MUST,
          ...(index === 1
            ? {}
            : {
                static: {
                  blocks: [
                    {
                      content_type: 'block',
                      fields: {
                        ...MUST,
                        constructor: { text: 'x' },
                        get: { content_links: ['c_1'] },
                        static: { blocks: [{ content_type: 'empty' }] },
                      },
                    },
                  ],
                },
              }),
        },
      })),
      {
        kind: 'content',
        id: 'c_draft',
        site,
        content_type: 'place',
        language: 'en',
        slug: 'draft',
        name: 'Missing required values',
        status: 'draft',
        fields: { static: { blocks: [{ content_type: 'block' }] } },
      },
    ];
    await writeFile(join(workshop.path, 'nasty.ndjson'), toLines(records));
    expect(await workshop.run('import', 'nasty.ndjson')).toMatchObject({ status: 0, stderr: '' });
    await workshop.run('types', '--site', site, '--out', 'nasty/content.ts');
  });

  test('compile, match every response, and leave out hidden fields; so do those of a site without types', async () => {
    const { published, previews } = await workshop.readAll('s_nasty', ['en']);
    expect(published).toHaveLength(HANDLES.length);
    expect(previews).toHaveLength(HANDLES.length + 1);
    await writeFile(join(workshop.path, 'nasty/answers.ts'), toChecks(published));
    await writeFile(join(workshop.path, 'nasty/previews.ts'), toChecks(previews, { map: 'PreviewTypes' }));
    await workshop.run('site', 'create', '--name', 'Nothing', '--id', 's_nothing');
    await workshop.run('types', '--site', 's_nothing', '--out', 'nasty/nothing.ts');
    expect(await workshop.compile('nasty')).toBe('');
    expect(await readFile(join(workshop.path, 'nasty/content.ts'), 'utf8')).not.toContain('secret');
  });

  test('do not match other responses', async () => {
    const { published, previews } = await workshop.readAll('s_nasty', ['en']);
    const changed = JSON.stringify(published[0]).replace('"class":{', '"klass":{');
    const from = '../nasty/content.ts';
    await writeFile(join(workshop.path, 'wrong/answers.ts'), toChecks([JSON.parse(changed) as Delivered], { from }));
    await writeFile(join(workshop.path, 'wrong/previews.ts'), toChecks(previews, { from }));
    const output = await workshop.compile('wrong');
    expect(output).toContain('klass');
    // In the draft, every required nullable field is empty, both at the top level and in its block.
    expect(output.match(/Type 'null' is not assignable to type/g)).toHaveLength(4);
    expect(output).toContain("is not assignable to type 'AnyBlock<");
  });
});

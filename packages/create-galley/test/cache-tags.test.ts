// Tests which of the Next.js template's cache tags each event expires. Runs in a process where stubs replace Next.js and the client.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CACHED_CONTENT = join(import.meta.dirname, '../../../examples/next-magazine/src/lib/cached-content.ts');
const REPLACED =
  'data:text/javascript,export let connection, findById, findByPath, iterateContent, listArticles, listNavigation, listTopicArticles, readAs';
const SCRIPT = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      ['next/server', './read-content.ts', './visitor.ts'].includes(name) ? { url: ${JSON.stringify(REPLACED)}, shortCircuit: true } : next(name, context),
  });
  const { listTags } = await import(${JSON.stringify(CACHED_CONTENT)});
  console.log(JSON.stringify(JSON.parse(process.argv[1]).map(listTags)));
`;

const describeEvent = (type: string, id: string) => ({ type, data: { site: 's_demo', id, content_type: 'article' } });

const CASES: readonly (readonly [behaviour: string, event: object, tags: readonly string[]])[] = [
  [
    'an update expires the content and the lists of its type',
    describeEvent('content.updated', 'c_1'),
    ['content:c_1', 'type:article'],
  ],
  [
    'a new page also expires paths',
    describeEvent('content.published', 'c_1'),
    ['content:c_1', 'type:article', 'paths'],
  ],
  [
    'a withdrawn page also expires paths',
    describeEvent('content.unpublished', 'c_1'),
    ['content:c_1', 'type:article', 'paths'],
  ],
  [
    'a batch expires the tags of all its events, each once',
    {
      type: 'batch',
      data: { events: [describeEvent('content.updated', 'c_1'), describeEvent('content.moved', 'c_2')] },
    },
    ['content:c_1', 'type:article', 'content:c_2', 'paths'],
  ],
  ['a test event expires nothing', { type: 'webhook.test', data: { site: 's_demo' } }, []],
];

test('each event expires the tags of what it changes', () => {
  const args = ['--input-type=module', '--eval', SCRIPT, JSON.stringify(CASES.map(([, event]) => event))];
  const listed: readonly unknown[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(CASES.map(([behaviour], index) => [behaviour, listed[index]])).toEqual(
    CASES.map(([behaviour, , tags]) => [behaviour, tags]),
  );
});

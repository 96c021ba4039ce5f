// The examples in the documentation, compiled against the packed client and run against the demo.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runGalley } from '../../../server/test/support/galley-command.ts';
import { compileProject } from './compile-project.ts';
import { type ClientProject, installClient } from './install-client.ts';
import { type Example, readExamples } from './read-examples.ts';
import { type Demo, startDemo } from './start-demo.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PAGES = [
  'packages/client/README.md',
  'docs/client.md',
  'docs/guides/images.md',
  'docs/guides/mirror.md',
  'docs/guides/moving-to-the-client.md',
];
const WRITTEN_URL = 'http://127.0.0.1:3000';
const WRITTEN_KEY = 'gk_…';
/** Prepended to an example that does not create its own client. */
const QUICK_START = `import { createClient } from '@galley/client';
const client = createClient({ apiURL: '${WRITTEN_URL}/api/v1', apiKey: '${WRITTEN_KEY}', siteId: 's_demo' });
`;

/** Runs the given files one after another and reports the output of each. */
const RUN = `
import { format } from 'node:util';
const outcomes = {};
const print = console.log;
for (const file of process.argv.slice(2)) {
  const outcome = { printed: '', error: null };
  console.log = (...values) => { outcome.printed += format(...values) + '\\n'; };
  console.error = () => {};
  await import('./' + file).catch((error) => { outcome.error = String(error); });
  outcomes[file] = outcome;
}
print(JSON.stringify(outcomes));
`;

interface Outcome {
  readonly printed: string;
  readonly error: string | null;
}

let project: ClientProject;
let demo: Demo;
/** The same demo, with the header prefix that some examples use. */
let acmeDemo: Demo;

beforeAll(async () => {
  [project, demo, acmeDemo] = await Promise.all([
    installClient(),
    startDemo(),
    startDemo({ GALLEY_HEADER_PREFIX: 'X-ACME' }),
  ]);
  // One example uses this package to show placeholders.
  await symlink(join(ROOT, 'node_modules/thumbhash'), join(project.path, 'node_modules/thumbhash'));
  await project.write({ 'content-types.ts': await generateTypes() });
  for (const page of PAGES) {
    for (const example of readPage(page)) {
      await project.write({ [nameFile(page, example)]: setUp(example) });
    }
  }
});

afterAll(async () => {
  await acmeDemo?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
  await project?.[Symbol.asyncDispose]();
});

async function generateTypes(): Promise<string> {
  await using folder = await makeFolder();
  await runGalley(['import', join(ROOT, 'packages/server/demo/magazine.ndjson')], { cwd: folder.path });
  const { stdout } = await runGalley(['types', '--site', 's_demo'], { cwd: folder.path });
  return stdout;
}

function readPage(page: string): readonly Example[] {
  return readExamples(readFileSync(join(ROOT, page), 'utf8'));
}

/** A block whose first line is a file name becomes that file, and other blocks can import it. */
function nameFile(page: string, { line, code }: Example): string {
  return /^\/\/ ([\w-]+\.ts)\n/.exec(code)?.[1] ?? `${page.replaceAll(/\W/g, '-')}-${line}.ts`;
}

function setUp({ code }: Example): string {
  const isAcme = /'X-ACME\b|from '.\/acme-client.ts'/.test(code);
  const { url, apiKey } = isAcme ? acmeDemo : demo;
  const program = /\bclient\./.test(code) && !/\bconst client\b/.test(code) ? QUICK_START + code : code;
  return `${program.replaceAll(WRITTEN_URL, url).replaceAll(WRITTEN_KEY, apiKey)}\nexport {};\n`;
}

test('every TypeScript block is tested as an example', () => {
  const counts = PAGES.map((page) => readFileSync(join(ROOT, page), 'utf8').match(/^\s*```ts/gm)?.length);
  expect(PAGES.map((page) => readPage(page).length)).toEqual(counts);
  expect(counts[0]).toBeGreaterThan(15);
});

test('all examples compile', async () => {
  const files = PAGES.flatMap((page) => readPage(page).map((example) => nameFile(page, example)));
  const said = await compileProject(project.path, { files, surroundings: 'node', moduleResolution: 'nodenext' });
  expect(said).toBe('');
});

describe.each(PAGES)('%s', (page) => {
  let outcomes: Readonly<Record<string, Outcome>>;

  beforeAll(async () => {
    const files = readPage(page).map((example) => nameFile(page, example));
    await project.write({ 'run.mjs': RUN });
    const { stdout } = await promisify(execFile)(process.execPath, ['run.mjs', ...files], { cwd: project.path });
    outcomes = JSON.parse(stdout);
  });

  test.each(readPage(page))('the example on line $line works', (example) => {
    const outcome = outcomes[nameFile(page, example)];
    expect(outcome?.error).toBe(null);
    if (example.prints !== undefined) expect(outcome?.printed).toBe(example.prints);
  });
});

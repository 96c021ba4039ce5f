// An import uses no more memory for a large file than for a small one.

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { reportProof } from '../../oracle/proof.ts';
import { makeFolder, runProgram } from '../../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../../support/small-site.ts';

const OBJECTS = 1000;
const OBJECT_BYTES = 16_000;
const TELL_PEAK = 'process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS*1024))';

/** The command's peak memory, in bytes. */
async function importObjects(count: number): Promise<number> {
  await using folder = await makeFolder();
  const bundle = join(folder.path, 'bundle.ndjson');
  await pipeline(Readable.from(listLines(count)), createWriteStream(bundle));
  const env = {
    GALLEY_DEMO: 'false',
    GALLEY_DATABASE_URL: `sqlite:${join(folder.path, 'galley.db')}`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL_PEAK)}`,
  };
  const { status, stdout, stderr } = await runProgram(['import', bundle], { cwd: folder.path, env });
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${count} content objects`)]);
  return Number(/peak (\d+)/.exec(stderr)?.[1]);
}

function* listLines(count: number): Generator<string> {
  yield toLines([siteRecord(), typeRecord()]);
  for (let index = 0; index < count; index++) {
    const title = `${index} `.repeat(OBJECT_BYTES).slice(0, OBJECT_BYTES);
    yield toLines([postRecord(`c_${index}`, { fields: { title: { text: title }, rank: { number: index } } })]);
  }
}

test('importing a file four times as large uses no more memory', async () => {
  const small = await importObjects(OBJECTS);
  const large = await importObjects(4 * OBJECTS);
  const toMb = (bytes: number): string => (bytes / 2 ** 20).toFixed();
  reportProof(`import of ${OBJECTS} objects: ${toMb(small)} MB of memory, of ${4 * OBJECTS}: ${toMb(large)} MB`);
  const moreBytes = 3 * OBJECTS * OBJECT_BYTES;
  expect(large - small).toBeLessThan(moreBytes / 2);
});

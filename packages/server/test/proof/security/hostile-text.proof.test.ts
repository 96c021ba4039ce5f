// Text from clients, uploads and imports may be made by an attacker. Reading it takes time in proportion to its length, and no more memory
// than its size suggests. The limits are several times what an idle machine needs; work that grows with the square of the length exceeds
// them many times over.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBundleLines } from '../../../src/bundle/read-bundle-lines.ts';
import { findSvgFaults } from '../../../src/content/find-svg-faults.ts';
import { encodeMark, removeMarks } from '../../../src/content/marks.ts';
import { placeMark } from '../../../src/content/place-mark.ts';
import { openBufferSource } from '../../../src/files/byte-source.fixture.ts';
import { inspectFile } from '../../../src/files/inspect-file.ts';
import { repeatPlace } from '../../../src/files/location/boxes.fixture.ts';
import { findLocation } from '../../../src/files/location/remove-location.ts';
import { sanitiseSvg } from '../../../src/files/sanitise-svg.ts';
import { readSvgSize } from '../../../src/files/svg-size.ts';
import { buildRequest } from '../../../src/http/request.fixture.ts';
import { createRequestOrigin } from '../../../src/http/request-origin.ts';
import { reportProof } from '../../oracle/proof.ts';

const MARK = encodeMark({ id: 'c_1', path: 'fields.title', language: 'en' });
const START = MARK.slice(0, 8);

const sanitise = (inside: string) => () => sanitiseSvg(`<svg>${inside}</svg>`);
const inspect = (text: string) => () => inspectFile(openBufferSource(Buffer.from(text)), 'a.txt');

function readAddress(forged: string): () => void {
  return () => {
    for (const trustProxy of [1, ['10.0.0.0/8', 'fc00::/7']]) {
      const { readAddress: read } = createRequestOrigin({ publicUrl: null, trustProxy }, () => '');
      read(buildRequest({ 'x-forwarded-for': `${forged}, 203.0.113.9` }, '10.0.0.1'));
    }
  };
}

/** Each list is followed by the limit for one of its texts, in milliseconds of CPU time. */
const CASES: readonly (readonly [string, number, readonly (() => unknown)[]])[] = [
  [
    'marks are removed',
    3000,
    [
      START.repeat(100_000),
      `${START}\u200b`.repeat(100_000),
      `${START.slice(0, 4).repeat(50_000)}${MARK}${MARK.slice(4).repeat(2000)}`,
      START + '\u200b'.repeat(1_000_000),
    ].map((text) => () => removeMarks(text)),
  ],
  [
    'the place of a mark is found',
    3000,
    [
      () => placeMark('<a'.repeat(200_000), 'html'),
      () => placeMark('<script>'.repeat(50_000), 'html'),
      () => placeMark('<!--'.repeat(100_000), 'html'),
      () => placeMark('---\n'.repeat(250_000), 'markdown'),
      () => placeMark(`${'*'.repeat(1_000_000)}x`, 'markdown'),
      () => placeMark('www.a '.repeat(150_000), 'markdown'),
      () => placeMark(`${'@'.repeat(1_000_000)} `, 'plain'),
    ],
  ],
  [
    'the faults of an icon are found',
    500,
    ['<svg '.repeat(20_000), `<svg${' '.repeat(100_000)}`, `<svg a="${'&'.repeat(100_000)}`, '('.repeat(100_000)].map(
      (source) => () => findSvgFaults(source),
    ),
  ],
  [
    'an SVG file is sanitised',
    5000,
    [
      sanitise('<g>'.repeat(100_000)),
      sanitise('<'.repeat(500_000)),
      sanitise(`<text>${'&amp;'.repeat(100_000)}</text>`),
      sanitise(`<style>${'/* '.repeat(200_000)}</style>`),
      sanitise(`<style>${'@import '.repeat(100_000)}</style>`),
      sanitise(`<style>${'@font-face{'.repeat(100_000)}</style>`),
      sanitise(`<style>${'url( '.repeat(100_000)}</style>`),
      sanitise(`<rect style="${'url(#a'.repeat(100_000)}"/>`),
      sanitise('<!-- x --><?x?>'.repeat(50_000)),
      sanitise(`${'<g>'.repeat(250)}${'a<g/>'.repeat(600_000)}${'</g>'.repeat(250)}`),
    ],
  ],
  [
    'the size of an SVG file is read',
    2000,
    [() => readSvgSize(`<svg width="${'1'.repeat(1_000_000)}!" height="${'1'.repeat(1_000_000)}">`)],
  ],
  [
    'the type of a file is detected',
    2000,
    [
      inspect(`<!doctype${' '.repeat(1_000_000)}`),
      inspect(`<?xml version="1.0"?><!doctype${'\n'.repeat(1_000_000)}`),
      inspect(`<!doctype a[${'] '.repeat(500_000)}`),
      inspect('<!-- x -->'.repeat(100_000)),
      inspect('<!--'.repeat(250_000)),
    ],
  ],
  [
    'the address of a client is read',
    200,
    ['1.2.3.4,', ' ,', '10.0.0.1, ', '['].map((part) => readAddress(part.repeat(1_000_000 / part.length))),
  ],
];

async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(CASES)('takes time in proportion to the length of the text: %s', async (what, mostMs, texts) => {
  const times: number[] = [];
  for (const read of texts) times.push(await measureCpu(read));
  reportProof(`${what}: at most ${Math.round(Math.max(...times))} ms of CPU time`);
  expect(Math.max(...times)).toBeLessThan(mostMs);
});

test('takes almost no time for the empty lines of a bundle', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-lines-'));
  const path = join(folder, 'blank.gz');
  await writeFile(path, gzipSync(Buffer.alloc(24 * 1024 ** 2, '\n')));
  const ms = await measureCpu(async () => {
    for await (const lines of readBundleLines(path)) expect(lines).toEqual([]);
  });
  reportProof(`24 million empty lines are read: ${Math.round(ms)} ms of CPU time`);
  // This took 8 seconds when each empty line was yielded.
  expect(ms).toBeLessThan(3000);
  await rm(folder, { recursive: true });
});

test('takes no additional memory for metadata that refers to the same bytes several times', () => {
  const metadata = Buffer.alloc(4 * 1024 ** 2, ' ');
  const picture = openBufferSource(repeatPlace(20, metadata));
  const before = process.memoryUsage().arrayBuffers;
  findLocation(picture, 'image/heic');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * metadata.length);
});

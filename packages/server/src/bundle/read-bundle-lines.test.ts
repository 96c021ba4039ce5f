import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BundleFault, type BundleLine, readBundleLines } from './read-bundle-lines.ts';

const MEBIBYTE = 1024 * 1024;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-lines-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function writeBundle(content: string | Uint8Array, name = 'bundle.ndjson'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function readAll(path: string): Promise<readonly BundleLine[]> {
  const lines: BundleLine[] = [];
  for await (const read of readBundleLines(path)) lines.push(...read);
  return lines;
}

async function readTexts(content: string | Uint8Array, name?: string): Promise<readonly (readonly [number, string])[]> {
  const lines = await readAll(await writeBundle(content, name));
  return lines.map((line) => [line.number, line.text]);
}

async function findFault(path: string): Promise<unknown> {
  return await readAll(path).then(
    () => undefined,
    (error: unknown) => (error instanceof BundleFault ? [error.line, error.message] : error),
  );
}

describe('lines of a bundle', () => {
  test.each([
    ['', []],
    ['\n\n', []],
    ['a', [[1, 'a']]],
    ['a\n', [[1, 'a']]],
    [
      'a\nb\n',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'a\r\nb\r\n',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'a\r\nb\r',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      '\n\na\n \t\r\n\nb',
      [
        [3, 'a'],
        [6, 'b'],
      ],
    ],
    [
      '\ufeffa\nb',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    ['\ufeff\na', [[2, 'a']]],
    [
      'a\n\ufeffb',
      [
        [1, 'a'],
        [2, '\ufeffb'],
      ],
    ],
    [
      '{"a":"é日😀"}\n{"b":"\u2028"}\n',
      [
        [1, '{"a":"é日😀"}'],
        [2, '{"b":"\u2028"}'],
      ],
    ],
  ])('are read from %j as %j', async (content, lines) => {
    expect(await readTexts(content)).toEqual(lines);
  });

  test('are the same when gzipped, regardless of the file name', async () => {
    const lines = [
      [1, 'a'],
      [2, 'é'],
    ];
    expect(await readTexts(gzipSync('a\né\n'), 'bundle.ndjson.gz')).toEqual(lines);
    expect(await readTexts(gzipSync('a\né\n'), 'packed.ndjson')).toEqual(lines);
  });

  test('are read from all members of a gzip file', async () => {
    const packed = Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]);
    expect(await readTexts(packed, 'parts.gz')).toEqual([
      [1, 'a'],
      [2, 'bc'],
      [3, 'd'],
    ]);
  });

  test('are complete no matter where a chunk ends', async () => {
    const length = fc.integer({ min: 0, max: 200_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(length, { maxLength: 12 }), fc.boolean(), async (lengths, isPacked) => {
        const written = lengths.map((each, index) => `${index}é`.repeat(Math.ceil(each / 4)));
        const content = `${written.join('\n')}\n`;
        const texts = await readTexts(isPacked ? gzipSync(content, { level: 1 }) : content, 'chunks');
        expect(texts.map(([, text]) => text)).toEqual(written.filter((text) => text !== ''));
      }),
      { numRuns: 20 },
    );
  });

  test('report how many bytes have been read from the file on disk, up to its end', async () => {
    const content = `${'x'.repeat(999)}\n`.repeat(3000);
    const plain = await readAll(await writeBundle(content));
    expect(plain.at(-1)?.bytesRead).toBe(3_000_000);
    expect(plain[0]?.bytesRead).toBeLessThan(1_000_000);
    const packed = gzipSync(content);
    expect((await readAll(await writeBundle(packed, 'count.gz'))).at(-1)?.bytesRead).toBe(packed.length);
  });

  test('may be as long as 16 MiB', async () => {
    const content = `a\n${'x'.repeat(16 * MEBIBYTE)}\nb`;
    expect((await readTexts(content)).map(([number, text]) => [number, text.length])).toEqual([
      [1, 1],
      [2, 16 * MEBIBYTE],
      [3, 1],
    ]);
  });

  test('are counted even if millions of them are empty', async () => {
    const blank = gzipSync(Buffer.alloc(2 * MEBIBYTE, '\n'), { level: 1 });
    const packed = Buffer.concat([blank, gzipSync(' \t\r\n\na\n\nb')]);
    expect(await readTexts(packed, 'blank.gz')).toEqual([
      [2 * MEBIBYTE + 3, 'a'],
      [2 * MEBIBYTE + 5, 'b'],
    ]);
  });

  test('do not have to be read to the end', async () => {
    const path = await writeBundle(gzipSync('a\n'.repeat(20_000)), 'early.gz');
    for await (const [first] of readBundleLines(path)) {
      if (first?.number === 1) break;
    }
    expect((await readAll(path)).length).toBe(20_000);
  });
});

describe('a line that cannot be read', () => {
  async function readProblems(content: string | Uint8Array): Promise<readonly unknown[]> {
    const lines = await readAll(await writeBundle(content));
    return lines.map(({ number, text, problem }) => [number, problem ?? text]);
  }

  test.each([
    ['a\nb\n\xff\nc', 3, ['a', 'b', 'c']],
    ['a\n\xc3', 2, ['a']],
    ['\xed\xa0\x80\r\na', 1, ['a']],
    ['\xc0\x80', 1, []],
  ])('is reported if it is not UTF-8, and reading continues: %j', async (bytes, line, others) => {
    const problems = await readProblems(Buffer.from(bytes, 'latin1'));
    expect(problems).toContainEqual([line, 'not valid UTF-8']);
    expect(problems.map((each) => Object(each)[1])).toEqual(expect.arrayContaining(others));
    expect(problems).toHaveLength(others.length + 1);
  });

  test.each([
    ['with a line break at the end', `\n${'x'.repeat(16 * MEBIBYTE + 1)}\nb`, [[3, 'b']]],
    ['without a line break at the end', `\n${'x'.repeat(17 * MEBIBYTE)}`, []],
    [
      'in a gzip file',
      gzipSync(`\n${'x'.repeat(64 * MEBIBYTE)}\nb\nc`),
      [
        [3, 'b'],
        [4, 'c'],
      ],
    ],
  ])('is reported if it is too long, and reading continues: %s', async (_, content, others) => {
    expect(await readProblems(content)).toEqual([[2, 'longer than 16 MiB'], ...others]);
  });

  test('is reported with its first characters, which may identify the record', async () => {
    const [broken, long] = await readAll(
      await writeBundle(
        Buffer.from(`{"id":"c_1","x":"\xff"}\n{"id":"c_2","x":"${'y'.repeat(17 * MEBIBYTE)}"}`, 'latin1'),
      ),
    );
    expect(broken?.text).toMatch(/^{"id":"c_1"/);
    expect(long?.text).toMatch(/^{"id":"c_2"/);
    expect(long?.text.length).toBe(4096);
  });
});

describe('a bundle', () => {
  test('is rejected if it is not text', async () => {
    const path = await writeBundle(Buffer.from('a\n\xff\xfe{\x00', 'latin1'));
    expect(await findFault(path)).toEqual([2, 'not UTF-8 text']);
  });

  test('is rejected if its gzip data is truncated, no matter how little is missing', async () => {
    const packed = gzipSync('{"kind":"site"}\n'.repeat(1000));
    for (const kept of [2, 5, 10, packed.length - 8, packed.length - 1]) {
      const path = await writeBundle(packed.subarray(0, kept), 'cut');
      expect(await findFault(path)).toEqual([0, 'the gzip data ends too early']);
    }
    expect(await findFault(await writeBundle('', 'empty.gz'))).toEqual([0, 'the gzip data ends too early']);
  });

  test('is rejected if its gzip data is damaged', async () => {
    const packed = gzipSync('{"kind":"site"}\n'.repeat(1000));
    packed[packed.length - 5] = (packed[packed.length - 5] ?? 0) ^ 1;
    expect(await findFault(await writeBundle(packed, 'damaged'))).toEqual([0, 'not valid gzip: incorrect data check']);
    expect(await findFault(await writeBundle('plain\n', 'plain.gz'))).toEqual([
      0,
      'not valid gzip: incorrect header check',
    ]);
  });

  test('is rejected if it is a small gzip file that unpacks endlessly', async () => {
    const part = gzipSync(Buffer.alloc(33 * MEBIBYTE, 'x'));
    const path = await writeBundle(Buffer.concat(Array(5).fill(part)), 'bomb.gz');
    expect(await findFault(path)).toEqual([0, expect.stringMatching(/^unpacks to more than 300 times its size/)]);
  });

  test('is rejected if it does not exist', async () => {
    expect(await findFault(join(folder, 'nowhere.ndjson'))).toEqual([0, 'no such file']);
  });

  test('is rejected if it is a folder', async () => {
    expect(await findFault(folder)).toEqual([0, 'is a folder, not a file']);
  });

  test('is rejected if part of its path is a file', async () => {
    const path = await writeBundle('a');
    expect(await findFault(join(path, 'inside'))).toEqual([0, expect.stringMatching(/^cannot be read: ENOTDIR/)]);
  });
});

import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fail, ok } from '../content/result.ts';
import { buildVariantName, ImageVariants, type OpenVariant } from './image-variants.ts';
import { drawQuarters, expectSource, planQuery } from './pictures.fixture.ts';

const KILOBYTE = 1024;

let folder: string;
let faults: unknown[];

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'variants-')), 'inner');
  faults = [];
});

afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true });
  expect(faults).toEqual([]);
});

function openVariants(kilobytes: number, now?: () => number): Promise<ImageVariants> {
  const onFault = (error: unknown) => void faults.push(error);
  return ImageVariants.open(folder, {
    limitBytes: kilobytes * KILOBYTE,
    onFault,
    ...(now === undefined ? {} : { now }),
  });
}

function nameOf(letter: string): string {
  return `${letter.repeat(64)}.webp`;
}

/** Makes a one-kilobyte variant that repeats the letter. */
async function make(variants: ImageVariants, letter: string): Promise<void> {
  const made = await variants.findOrMake(nameOf(letter), async (path) =>
    ok(await writeFile(path, letter.repeat(KILOBYTE))),
  );
  if (!made.ok) throw new Error('The variant was not made');
  await made.value.file.close();
}

async function readAll({ file }: OpenVariant): Promise<string> {
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function expectContents(
  requests: readonly ReturnType<ImageVariants['findOrMake']>[],
  contents: string,
): Promise<void> {
  for (const made of await Promise.all(requests)) {
    if (!made.ok) throw new Error('The variant was not made');
    expect(await readAll(made.value)).toBe(contents);
  }
}

/** Requests that all arrive before the variant is generated. @param write writes the variant */
async function requestTogether(
  variants: ImageVariants,
  count: number,
  write: (path: string, run: number) => Promise<unknown>,
): Promise<{ readonly requests: readonly ReturnType<ImageVariants['findOrMake']>[]; readonly runs: () => number }> {
  let runs = 0;
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const request = () =>
    variants.findOrMake(nameOf('a'), async (path) => {
      runs += 1;
      await started;
      return ok(await write(path, runs));
    });
  const requests = Array.from({ length: count - 1 }, request);
  await vi.waitFor(() => expect(runs).toBe(1));
  requests.push(request());
  start();
  return { requests, runs: () => runs };
}

/** Deletes the file in the same turn of the event loop in which it appears, so nobody has opened it yet. */
function deleteOnceThere(path: string): void {
  if (existsSync(path)) rmSync(path);
  else setImmediate(deleteOnceThere, path);
}

async function listLetters(): Promise<string> {
  return (await readdir(folder))
    .map((name) => name.charAt(0))
    .toSorted()
    .join('');
}

describe('variants', () => {
  test('are generated once and then reused', async () => {
    const variants = await openVariants(100);
    expect(await variants.find(nameOf('a'))).toBeUndefined();
    await make(variants, 'a');
    const found = await variants.find(nameOf('a'));
    if (found === undefined) throw new Error('The variant is missing');
    expect(found.bytes).toBe(KILOBYTE);
    expect(await readAll(found)).toBe('a'.repeat(KILOBYTE));
    const again = await variants.findOrMake(nameOf('a'), () => Promise.reject(new Error('It exists')));
    if (again.ok) await again.value.file.close();
    expect(again.ok).toBe(true);
  });

  test('are computed once for requests that arrive together', async () => {
    const variants = await openVariants(100);
    const { requests, runs } = await requestTogether(variants, 21, (path) => writeFile(path, 'picture'));
    await expectContents(requests, 'picture');
    expect(runs()).toBe(1);
  });

  test('leave nothing behind if they fail, and can be tried again', async () => {
    const variants = await openVariants(100);
    const broken = variants.findOrMake(nameOf('a'), async (path) => {
      await writeFile(path, 'half a pict');
      return fail('unreadable');
    });
    expect(await broken).toEqual({ ok: false, problem: 'unreadable' });
    const thrown = variants.findOrMake(nameOf('a'), async (path) => {
      await writeFile(path, 'half');
      throw new Error('Out of order');
    });
    await expect(thrown).rejects.toThrow('Out of order');
    expect(await readdir(folder)).toEqual([]);
    await make(variants, 'a');
    expect(await listLetters()).toBe('a');
  });

  test('are tried again by a waiting request after a failure', async () => {
    const variants = await openVariants(100);
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const first = variants.findOrMake(nameOf('a'), async () => {
      await started;
      return fail('refused');
    });
    const others = [1, 2].map(async () => {
      const joined = await variants.findOrMake(nameOf('a'), () => Promise.reject(new Error('It is being made')));
      expect(joined).toEqual({ ok: false, problem: 'refused' });
      return variants.findOrMake(nameOf('a'), async (path) => ok(await writeFile(path, 'picture')));
    });
    await vi.waitFor(async () => expect(await variants.find(nameOf('a'))).toBeUndefined());
    start();
    expect(await first).toEqual({ ok: false, problem: 'refused' });
    await expectContents(others, 'picture');
  });

  test('can be removed together if they have the same original', async () => {
    const variants = await openVariants(100);
    for (const letter of 'ab') await make(variants, letter);
    await variants.remove('a'.repeat(16));
    expect(await listLetters()).toBe('b');
  });

  test('are generated again if another process deletes them before they are opened', async () => {
    const variants = await openVariants(100);
    const { requests, runs } = await requestTogether(variants, 3, async (path, run) => {
      await writeFile(path, `picture ${run}`);
      if (run === 1) deleteOnceThere(join(folder, nameOf('a')));
    });
    await expectContents(requests, 'picture 2');
    expect(runs()).toBe(2);
  });

  test('are not visible before they are complete', async () => {
    const variants = await openVariants(100);
    const made = await variants.findOrMake(nameOf('a'), async (path) => {
      await writeFile(path, 'half');
      expect(await variants.find(nameOf('a'))).toBeUndefined();
      return ok(await writeFile(path, 'whole'));
    });
    if (!made.ok) throw new Error('The variant was not made');
    expect(await readAll(made.value)).toBe('whole');
  });

  test('have names that cannot leave the folder', async () => {
    const variants = await openVariants(100);
    await expect(variants.find('../secret')).rejects.toThrow('not the name of a variant');
    await expect(variants.findOrMake('a/b', () => Promise.resolve(ok('')))).rejects.toThrow(
      'not the name of a variant',
    );
  });
});

describe('the limit', () => {
  test.each([
    ['found', async (variants: ImageVariants) => void (await (await variants.find(nameOf('a')))?.file.close())],
    ['used from memory', async (variants: ImageVariants) => variants.noteUse(nameOf('a'))],
  ])('removes the least recently used variants, but not one that was just %s', async (_, useFirst) => {
    let clock = Date.now();
    const variants = await openVariants(5, () => clock);
    for (const letter of 'abcde') {
      clock += 1000;
      await make(variants, letter);
    }
    clock += 1000;
    await useFirst(variants);
    clock += 1000;
    await make(variants, 'f');
    await variants.close();
    // Nine tenths of the limit are kept: four kilobytes.
    expect(await listLetters()).toBe('adef');
  });

  test('applies to many simultaneous requests', async () => {
    const variants = await openVariants(8);
    await Promise.all([...'0123456789abcdef'].map((letter) => make(variants, letter)));
    await variants.close();
    expect((await listLetters()).length).toBeLessThanOrEqual(8);
  });

  test('does not delete a file while a program is using its path', async () => {
    const variants = await openVariants(2);
    const makeFile = async (path: string) => ok(await writeFile(path, 'a'.repeat(KILOBYTE)));
    const used = await variants.use(nameOf('a'), makeFile, async (path) => {
      for (const letter of 'bcdef') await make(variants, letter);
      await variants.close();
      return readFile(path, 'utf8');
    });
    expect(used).toEqual({ ok: true, value: 'a'.repeat(KILOBYTE) });
    for (const letter of '12345') await make(variants, letter);
    await variants.close();
    expect(await variants.find(nameOf('a'))).toBeUndefined();
  });

  test('does not break a variant that is being read', async () => {
    const variants = await openVariants(2);
    await make(variants, 'a');
    const reading = await variants.find(nameOf('a'));
    if (reading === undefined) throw new Error('The variant is missing');
    const start = Buffer.alloc(10);
    await reading.file.read(start, 0, 10);
    for (const letter of 'bcdef') await make(variants, letter);
    await variants.close();
    expect(await variants.find(nameOf('a'))).toBeUndefined();
    expect(`${start}${await readAll(reading)}`).toBe('a'.repeat(KILOBYTE));
  });

  test('does not prevent a larger variant from being served', async () => {
    const variants = await openVariants(1);
    const requests = Array.from({ length: 5 }, () =>
      variants.findOrMake(nameOf('a'), async (path) => ok(await writeFile(path, 'a'.repeat(5 * KILOBYTE)))),
    );
    await expectContents(requests, 'a'.repeat(5 * KILOBYTE));
    await variants.close();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a restart', () => {
  test('keeps the variants and their times of last use', async () => {
    let clock = Date.now();
    const before = await openVariants(100, () => clock);
    for (const letter of 'abcd') {
      clock += 100_000;
      await make(before, letter);
    }
    clock += 100_000;
    await (await before.find(nameOf('a')))?.file.close();
    await vi.waitFor(async () => expect((await stat(join(folder, nameOf('a')))).mtimeMs).toBeCloseTo(clock, -2));
    await before.close();

    clock += 100_000;
    const after = await openVariants(4, () => clock);
    expect(await listLetters()).toBe('abcd');
    await make(after, 'e');
    await after.close();
    expect(await listLetters()).toBe('ade');
  });

  test('removes the least recently used variants if the limit has become smaller', async () => {
    const before = await openVariants(100);
    for (const letter of 'abcdef') await make(before, letter);
    await before.close();
    for (const [index, letter] of [...'abcdef'].entries()) {
      await utimes(join(folder, nameOf(letter)), 1000 - index, 1000 - index);
    }
    await openVariants(3);
    expect(await listLetters()).toBe('ab');
  });

  test('removes incomplete files from a dead process, but not from a running one or another program', async () => {
    await openVariants(100);
    const write = async (name: string, age: number) => {
      await writeFile(join(folder, name), 'x'.repeat(KILOBYTE));
      await utimes(join(folder, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
    };
    await write(`${nameOf('a')}.1.part`, 2 * 60 * 60);
    await write(`${nameOf('b')}.2.part`, 60);
    await write('notes.txt', 2 * 60 * 60);
    await openVariants(100);
    expect(await readdir(folder)).toEqual([`${nameOf('b')}.2.part`, 'notes.txt']);
  });

  test('is not needed to find variants from another process, or to notice their deletion', async () => {
    const [one, other] = [await openVariants(100), await openVariants(100)];
    await make(one, 'a');
    const found = await other.find(nameOf('a'));
    expect(found && (await readAll(found))).toBe('a'.repeat(KILOBYTE));
    await rm(join(folder, nameOf('a')));
    await make(other, 'a');
    expect(await readFile(join(folder, nameOf('a')), 'utf8')).toBe('a'.repeat(KILOBYTE));
  });
});

describe('the name of a variant', () => {
  test('depends on the result, the original and the mark, and on nothing else', async () => {
    const source = await expectSource(await drawQuarters(200, 100));
    const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
    const nameFor = (query: string, picture = one, mark: string | null = null): string => {
      const plan = planQuery(query, source);
      if (typeof plan === 'string') throw new Error(plan);
      return buildVariantName(plan, picture, mark);
    };
    expect(nameFor('w=100')).toMatch(/^1{16}[0-9a-f]{48}\.png$/);
    expect(nameFor('fm=pjpg')).toMatch(/\.jpg$/);
    expect(nameFor('h=50&v=3')).toBe(nameFor('w=100'));
    expect(nameFor('fit=crop&w=100&h=50')).toBe(nameFor('w=100'));
    const names = [nameFor('w=100'), nameFor('w=101'), nameFor('w=100', two), nameFor('w=100', one, two)];
    expect(new Set([...names, nameFor('w=100&fm=webp&q=84'), nameFor('w=100&fm=webp')]).size).toBe(6);
  });
});

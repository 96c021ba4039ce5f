import type { PreviewSettingsBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';

describe('galley preview', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
    await runGalley(['site', 'create', '--id', 's_one', '--name', 'One'], { cwd: folder.path });
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  const run = (...args: readonly string[]) => runGalley(['preview', ...args], { cwd: folder.path });
  const json = (command: string, ...args: readonly string[]) =>
    runForJson(['preview', command, '--site', 's_one', ...args], { cwd: folder.path }) as Promise<PreviewSettingsBody>;

  test('the set command adds an address or changes the existing one with the same name, and prints the secret', async () => {
    expect((await run('show', '--site', 's_one')).stdout).toBe('The site has no preview address yet.\n');
    expect(await json('show')).toEqual({ addresses: [], secret: null });
    const first = await json('set', '--name', 'Front end', '--address', 'http://localhost:4000/');
    expect(first).toEqual({
      addresses: [
        {
          id: expect.stringMatching(/^pa_/),
          name: 'Front end',
          address: 'http://localhost:4000',
          pattern: null,
        },
      ],
      secret: expect.stringMatching(/^gps_/),
    });
    const pattern = '{base}/p?id={id}&t={secret}';
    await json('set', '--name', 'Website', '--address', 'https://site.example', '--pattern', pattern);
    const [address] = first.addresses;
    const changed = await json('set', '--name', 'Front end', '--address', 'http://localhost:5000');
    expect(changed.addresses).toMatchObject([
      { ...address, address: 'http://localhost:5000' },
      { name: 'Website', pattern },
    ]);
    expect(changed.secret).toBe(first.secret);
    const again = await json('set', '--name', 'Website', '--address', 'https://site.example');
    expect(again).toEqual(changed);
    const { stdout } = await run('show', '--site', 's_one');
    expect(stdout).toMatch(new RegExp(`^ {2}Secret +${first.secret}$`, 'm'));
    expect(stdout).toMatch(/^ {2}Address +http:\/\/localhost:5000 \(Front end\)$/m);
    expect(stdout).toContain(`https://site.example (Website) ${pattern}`);
  });

  test('the remove and rotate-secret commands each change only one thing', async () => {
    await json('set', '--name', 'Old', '--address', 'https://old.example');
    const before = await json('show');
    expect((await run('remove', '--site', 's_one', '--name', 'Old')).stdout).toBe('Removed the preview address Old.\n');
    const removed = await json('show');
    expect(removed).toEqual({ ...before, addresses: before.addresses.filter(({ name }) => name !== 'Old') });
    const rotated = await json('rotate-secret');
    expect(rotated).toEqual({ ...removed, secret: expect.stringMatching(/^gps_/) });
    expect(rotated.secret).not.toBe(removed.secret);
  });

  test('an export contains neither the addresses nor the secret', async () => {
    const { secret } = await json('set', '--name', 'Website', '--address', 'https://site.example');
    const { stdout } = await runGalley(['export', '--site', 's_one'], { cwd: folder.path });
    expect(stdout).toContain('"s_one"');
    for (const text of [String(secret), 'site.example']) expect(stdout).not.toContain(text);
  });

  test.each<[string, readonly string[], number, string]>([
    ['an unknown site', ['show', '--site', 's_none'], 1, 'There is no site s_none.'],
    ['an unknown name', ['remove', '--site', 's_one', '--name', 'X'], 1, 'There is no preview address X.'],
    ['no address', ['set', '--site', 's_one', '--name', 'X'], 2, '--address'],
    [
      'a wildcard',
      ['set', '--site', 's_one', '--name', 'X', '--address', 'https://*.x.example'],
      2,
      'It must be an http(s) URL',
    ],
    [
      'a pattern for another host',
      ['set', '--site', 's_one', '--name', 'X', '--address', 'https://x.example', '--pattern', '{base}.evil/{id}'],
      2,
      'starts with {base}/ or {base}?',
    ],
  ])('explains %s', async (_what, args, status, message) => {
    const failed = await run(...args);
    expect(failed.status).toBe(status);
    expect(failed.stderr).toContain(message);
  });
});

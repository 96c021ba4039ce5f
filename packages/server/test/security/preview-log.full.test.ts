// The access log contains neither preview secrets nor the tokens of share links, wherever a caller puts them.

import type { NewShareLinkBody, PreviewSettingsBody } from '@galley/wire';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from '../management/manager.ts';
import { importMagazine } from '../management/small-magazine.ts';
import { ENGINES } from '../support/test-database.ts';

const SITE = 's_mag';

const lines: string[] = [];
let onLine: () => void = () => {};
let manager: Manager;
let secret: string;
let token: string;
let link: string;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const write = (line: string) => {
      lines.push(line);
      onLine();
    };
    manager = await startManager({ GALLEY_ACCESS_LOG: 'true' }, { engine, log: pino({ level: 'debug' }, { write }) });
    await importMagazine(manager, SITE);
    const addresses = [{ name: 'Website', address: 'https://mag.example' }];
    const settings = await manager.expectOk<PreviewSettingsBody>('PUT', `/sites/${SITE}/preview`, { addresses });
    secret = settings.secret ?? '';
    await manager.expectOk('GET', `/sites/${SITE}/content/c_one/preview-url`);
    const made = await manager.expectOk<NewShareLinkBody>('POST', `/sites/${SITE}/content/c_one/share-links`, {});
    token = new URL(made.url).searchParams.get('secret') ?? '';
    link = made.id;
  });

  afterAll(() => manager.close());

  /** The log line of a request. The response may arrive before the line is written. */
  async function ask(target: string, bearer: string): Promise<unknown> {
    const id = crypto.randomUUID();
    const headers = { authorization: `Bearer ${bearer}`, 'x-service-site': SITE, 'x-request-id': id };
    await (await fetch(`${manager.service.url}${target}`, { headers })).arrayBuffer();
    const find = () => lines.find((line) => line.includes(id));
    while (find() === undefined) await new Promise<void>((resolve) => (onLine = resolve));
    return JSON.parse(find() ?? '');
  }

  function encode(characters: string): string {
    return [...characters].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  }

  test('preview secrets and the tokens of share links are not in the log', async () => {
    for (const given of [secret, token]) {
      expect(given).toMatch(/^g(ps|sh)_[\w-]{40}$/);
      await ask('/api/v1/content/c_one', given);
      await ask(`/api/v1/content?secret=${given}`, given);
      for (const inPath of [given, encode(given)]) {
        await ask(`/api/v1/content/${inPath}`, given);
        await ask(`/manage/v1/sites/${inPath}`, given);
        await ask(`/api/draft/${inPath}`, given);
      }
      expect(lines.join('')).not.toContain(given.slice(4));
      expect(lines.join('')).not.toContain(encode(given.slice(4)));
    }
  });

  test('the log names a share link by its ID', async () => {
    expect(await ask('/api/v1/content/c_one', token)).toMatchObject({ status: 200, site: SITE, key: link });
  });
});

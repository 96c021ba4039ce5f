// Each response states its length in bytes. The service does not count the bytes of responses known to be pure ASCII, so these tests put
// a two-byte character into each part of a response in turn.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

type Part = 'nothing' | 'body' | 'author' | 'type' | 'field' | 'option' | 'asset' | 'link' | 'value';

const PARTS: readonly Part[] = ['nothing', 'body', 'author', 'type', 'field', 'option', 'asset', 'link', 'value'];

function buildSite(part: Part): readonly object[] {
  const site = `s_${part}`;
  const word = (here: Part): string => (here === part ? 'd\u00e9j\u00e0' : 'deja');
  const fields = [
    { handle: 'title', name: word('field'), type: 'text' },
    { handle: 'mood', name: 'Mood', type: 'option', options: [{ label: word('option'), value: 'm' }] },
    { handle: 'picture', name: 'Picture', type: 'assets' },
    { handle: 'related', name: 'Related', type: 'content_links' },
  ];
  const base = { kind: 'content', site, content_type: 'note', author: 'u_1', language: 'en', status: 'published' };
  const plain = { title: { text: word('value') }, mood: { selected_option: 'm' } };
  const refers = part === 'asset' || part === 'link';
  const related = { picture: { assets: ['a_1'] }, related: { content_links: ['c_2'] } };
  return [
    { kind: 'site', id: site, name: 'S', default_language: 'en', url: 'https://one.example' },
    { kind: 'author', id: 'u_1', site, name: word('author') },
    { kind: 'asset', id: 'a_1', site, name: word('asset'), url: '/a.png' },
    { kind: 'content_type', id: 't_1', site, handle: 'note', name: word('type'), fields },
    { ...base, id: 'c_1', slug: 'one', name: word('body'), fields: { ...plain, ...(refers ? related : {}) } },
    { ...base, id: 'c_2', slug: 'two', name: word('link'), fields: plain },
  ];
}

describe('the length of a response', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService();
    for (const part of PARTS) await service.importRecords(buildSite(part));
    ({ token } = await service.createKey({ allSites: true }));
  });

  afterAll(() => service.close());

  test.each(PARTS)('is correct with an accented character in %s', async (part) => {
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': `s_${part}`, 'accept-encoding': 'identity' };
    for (const path of ['/c_1', '', '?limit=1', '?caf\u00e9']) {
      for (const isSimple of ['false', 'true']) {
        const response = await fetch(`${service.url}/api/v1/content${path}`, {
          headers: { ...headers, 'x-service-simple-pagination': isSimple },
        });
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(response.headers.get('content-length')).toBe(String(bytes.length));
        const shown = bytes.toString();
        expect(() => JSON.parse(shown)).not.toThrow();
        if (path !== '?limit=1') expect(shown.includes('d\u00e9j\u00e0')).toBe(part !== 'nothing');
      }
    }
  });
});

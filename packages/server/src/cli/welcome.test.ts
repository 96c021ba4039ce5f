import { describe, expect, test } from 'vitest';
import type { Paint } from './paint.ts';
import { renderDemoWelcome, renderWelcome } from './welcome.ts';

const plain: Paint = (_style, text) => text;

const site = { no: 1, accountNo: 1, id: 's_one', name: 'One', url: null, defaultLanguage: 'en', languages: ['en'] };
const start = { version: '1.2.3', url: 'http://127.0.0.1:3000' };

describe('the welcome', () => {
  test('of a new demo holds all that is needed to read it, with the headers of this deployment', () => {
    const demo = { siteId: 's_demo', token: `gk_${'a'.repeat(40)}` };
    const text = renderDemoWelcome({ ...start, headerPrefix: 'X-BRAND', demo }, plain);
    expect(text).toContain('http://127.0.0.1:3000/api/v1\n');
    expect(text).toContain(`API key    ${demo.token}\n`);
    expect(text).toContain(
      [
        "  curl 'http://127.0.0.1:3000/api/v1/content?content_type=article&limit=2' \\",
        `    -H 'Authorization: Bearer ${demo.token}' \\`,
        "    -H 'X-BRAND-SITE: s_demo'\n",
      ].join('\n'),
    );
  });

  test('of a later start names the sites and the way to another key', () => {
    const text = renderWelcome({ ...start, sites: [site], hasKey: true }, plain);
    expect(text).toContain('Sites      s_one  One\n');
    expect(text).toContain('For another API key:\n    npx galley key create --site s_one\n');
  });

  test('says so when no key works, and when there is no site', () => {
    expect(renderWelcome({ ...start, sites: [site, site], hasKey: false }, plain)).toContain(
      'There is no API key that works. Create one:\n    npx galley key create --all-sites\n',
    );
    expect(renderWelcome({ ...start, sites: [], hasKey: false }, plain)).toContain('There is no site yet.');
  });

  test('counts the sites that it has no room for', () => {
    const sites = Array.from({ length: 8 }, (_, index) => ({ ...site, id: `s_${index}` }));
    expect(renderWelcome({ ...start, sites, hasKey: true }, plain)).toContain('s_4  One\n             and 3 more\n');
  });
});

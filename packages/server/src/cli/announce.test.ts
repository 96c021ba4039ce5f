import { describe, expect, test } from 'vitest';
import { renderDemoWelcome, renderWelcome } from './announce.ts';
import type { Paint } from './paint.ts';

const plain: Paint = (_style, text) => text;

const site = { no: 1, accountNo: 1, id: 's_one', name: 'One', url: null, defaultLanguage: 'en', languages: ['en'] };
const start = { version: '1.2.3', url: 'http://127.0.0.1:3000', isAdminServed: true };
const later = { ...start, hasKey: true, setUpLink: undefined };

describe('the welcome text', () => {
  test('contains everything needed to read a new demo site, including the configured headers', () => {
    const access = { siteId: 's_demo', token: `gk_${'a'.repeat(40)}` };
    const demo = { access, signIn: { email: 'owner@example.com', password: 'abcde-fghjk' } };
    const text = renderDemoWelcome({ ...start, headerPrefix: 'X-BRAND', demo }, plain);
    expect(text).toContain('http://127.0.0.1:3000/api/v1\n');
    expect(text).toContain('Management http://127.0.0.1:3000/manage/docs\n');
    expect(text).toContain('Admin      http://127.0.0.1:3000/admin\n');
    expect(text).toContain(`API key    ${access.token}\n`);
    expect(text).toContain('Email      owner@example.com\n  Password   abcde-fghjk\n');
    expect(text).toContain(
      [
        "  curl 'http://127.0.0.1:3000/api/v1/content?content_type=article&limit=2' \\",
        `    -H 'Authorization: Bearer ${access.token}' \\`,
        "    -H 'X-BRAND-SITE: s_demo'\n",
      ].join('\n'),
    );
  });

  test('lists the sites when the service starts again, and says how to create another key', () => {
    const text = renderWelcome({ ...later, sites: [site] }, plain);
    expect(text).toContain('Sites      s_one  One\n');
    expect(text).toContain('To create another API key:\n    npx --no galley key create --site s_one\n');
  });

  test('says so if there is no active key or no site', () => {
    expect(renderWelcome({ ...later, sites: [site, site], hasKey: false }, plain)).toContain(
      'There is no active API key. Create one:\n    npx --no galley key create --all-sites\n',
    );
    expect(renderWelcome({ ...later, sites: [], hasKey: false }, plain)).toContain('There are no sites yet.');
  });

  test('says how many more sites there are', () => {
    const sites = Array.from({ length: 8 }, (_, index) => ({ ...site, id: `s_${index}` }));
    expect(renderWelcome({ ...later, sites }, plain)).toContain('s_4  One\n             and 3 more\n');
  });

  test('shows the link for creating the first owner on a separate line that fits in a terminal', () => {
    const setUpLink = `http://127.0.0.1:3000/admin/set-up#token=gs_${'a'.repeat(27)}`;
    const text = renderWelcome({ ...later, sites: [site], setUpLink }, plain);
    expect(text).toContain(`\n  Nobody can sign in yet. Open this link to create an owner:\n\n  ${setUpLink}\n`);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(renderWelcome({ ...later, sites: [site] }, plain)).not.toContain('sign in');
  });

  test('does not mention the management API if it is not served', () => {
    const text = renderWelcome({ ...later, isAdminServed: false, sites: [site] }, plain);
    expect(text).not.toMatch(/\/manage\/|\/admin/);
  });
});

import { describe, expect, test } from 'vitest';
import { isPlainCall } from './end-with-npm.ts';

describe('a script that only calls Galley', () => {
  test.each([
    'galley serve',
    "'galley'",
    'galley serve --port 8080 --host 0.0.0.0',
    'exec galley serve',
    'GALLEY_PORT=8080 galley serve',
    'node packages/server/bin/galley.js serve',
    '/usr/local/bin/node "/srv/site/node_modules/.bin/galley" serve',
    './node_modules/.bin/galley serve',
  ])('can be %s', (script) => {
    expect(isPlainCall(script)).toBe(true);
  });

  test.each([
    '',
    'galley serve &',
    'nohup galley serve',
    'nohup galley serve > galley.log 2>&1 &',
    'setsid galley serve',
    'galley import site.ndjson && galley serve',
    'vitest run',
    'node --watch packages/server/bin/galley.js serve',
    'concurrently "galley serve" "astro dev"',
    'pm2 start galley -- serve',
    '(galley serve)',
    'notgalley serve',
    'galley-proxy serve',
  ])('cannot be %j', (script) => {
    expect(isPlainCall(script)).toBe(false);
  });
});

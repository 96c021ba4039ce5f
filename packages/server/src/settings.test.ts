import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadEnvironment, readSettings, SETTING_TABLE } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'galley-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readFile = (path: string): string => readFileSync(path, 'utf8');

function settingsOf(environment: Record<string, string | undefined>) {
  const result = readSettings(environment, readFile);
  if (!result.ok) throw new Error(result.problem.join('\n'));
  return result.value;
}

function complaintsAbout(environment: Record<string, string | undefined>): readonly string[] {
  const result = readSettings(environment, readFile);
  if (result.ok) throw new Error('the settings were accepted');
  return result.problem;
}

describe('defaults', () => {
  test('apply if the environment is empty', () => {
    expect(settingsOf({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: { engine: 'sqlite', path: './data/galley.db' },
      replicaUrls: [],
      publicUrl: null,
      trustProxy: 0,
      headerPrefix: 'X-SERVICE',
      match: 'all',
      emptySlug: 'list',
      cacheMb: 64,
      freshnessMs: 1000,
      staleSeconds: 3600,
      rateLimit: 0,
      assetsUrl: { kind: 'folder', path: './data/assets' },
      maxUploadMb: 200,
      assetsKeepDays: 7,
      changesDays: 90,
      streamsPerKey: 2000,
      webhookAllow: [],
      imageCache: 'folder',
      imageCacheDir: './data/images',
      imageCacheMb: 1024,
      isAdminServed: true,
      adminHosts: [],
      isDemoWanted: true,
      logLevel: 'info',
      isAccessLogged: false,
      isMetricsServed: false,
      drainMs: 0,
    });
  });

  test('are deeply frozen', () => {
    const settings = settingsOf({ GALLEY_DATABASE_URL: 'postgres://h/d', GALLEY_REPLICA_URLS: 'postgres://r/d' });
    expect([settings, settings.databaseUrl, settings.replicaUrls].every(Object.isFrozen)).toBe(true);
  });

  test('apply if a value is empty or blank', () => {
    expect(settingsOf({ GALLEY_PORT: '', GALLEY_MATCH: '  ', PORT: '', GALLEY_TYPO: '' })).toEqual(settingsOf({}));
  });

  test('match the defaults in the settings table', () => {
    for (const row of SETTING_TABLE) {
      const isWorded = /^(none|from the request|true on SQLite.*)$/.test(row.default);
      if (!isWorded) expect(settingsOf({ [row.name]: row.default }), row.name).toEqual(settingsOf({}));
    }
    expect(SETTING_TABLE.map((row) => row.name)).toContain('GALLEY_METRICS');
  });

  test('include demo content only for the embedded database', () => {
    expect(settingsOf({ GALLEY_DATABASE_URL: 'postgres://h/d' }).isDemoWanted).toBe(false);
    expect(settingsOf({ GALLEY_DATABASE_URL: 'postgres://h/d', GALLEY_DEMO: 'true' }).isDemoWanted).toBe(true);
    expect(settingsOf({ GALLEY_DEMO: '0' }).isDemoWanted).toBe(false);
  });
});

describe('values', () => {
  test.each([
    ['GALLEY_PORT', '0', 'port', 0],
    ['GALLEY_PORT', ' 65535 ', 'port', 65_535],
    ['PORT', '8080', 'port', 8080],
    ['GALLEY_HOST', '::1', 'host', '::1'],
    ['GALLEY_HOST', 'localhost', 'host', 'localhost'],
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['GALLEY_DATABASE_URL', 'sqlite:data/x.db', 'databaseUrl', { engine: 'sqlite', path: 'data/x.db' }],
    ['GALLEY_DATABASE_URL', 'sqlite:///var/x.db', 'databaseUrl', { engine: 'sqlite', path: '/var/x.db' }],
    ['GALLEY_DATABASE_URL', 'sqlite::memory:', 'databaseUrl', { engine: 'sqlite', path: ':memory:' }],
    ['DATABASE_URL', 'postgres://u:p@h:1/d', 'databaseUrl', { engine: 'postgres', url: 'postgres://u:p@h:1/d' }],
    ['DATABASE_URL', 'postgresql:///d', 'databaseUrl', { engine: 'postgres', url: 'postgresql:///d' }],
    ['GALLEY_PUBLIC_URL', 'https://cdn.example.com/', 'publicUrl', 'https://cdn.example.com'],
    ['GALLEY_PUBLIC_URL', 'http://h:8080/below/it//', 'publicUrl', 'http://h:8080/below/it'],
    ['GALLEY_TRUST_PROXY', 'TRUE', 'trustProxy', 1],
    ['GALLEY_TRUST_PROXY', '1', 'trustProxy', 1],
    ['GALLEY_TRUST_PROXY', '0', 'trustProxy', 0],
    ['GALLEY_TRUST_PROXY', '3', 'trustProxy', 3],
    ['GALLEY_TRUST_PROXY', '10.1.2.3', 'trustProxy', ['10.1.2.3/32']],
    ['GALLEY_TRUST_PROXY', '10.0.0.0/8, FD00::/8', 'trustProxy', ['10.0.0.0/8', 'fd00::/8']],
    ['GALLEY_TRUST_PROXY', 'Loopback,::2', 'trustProxy', ['127.0.0.0/8', '::1/128', '::2/128']],
    ['GALLEY_ADMIN_HOSTS', 'CMS.example.com, galley,10.0.0.1', 'adminHosts', ['cms.example.com', 'galley', '10.0.0.1']],
    [
      'GALLEY_WEBHOOK_ALLOW',
      'Hooks.internal, 10.0.0.7,fd00::/8,loopback',
      'webhookAllow',
      ['hooks.internal', '10.0.0.7/32', 'fd00::/8', '127.0.0.0/8', '::1/128'],
    ],
    ['GALLEY_HEADER_PREFIX', 'X-Acme2', 'headerPrefix', 'X-Acme2'],
    ['GALLEY_MATCH', 'any', 'match', 'any'],
    ['GALLEY_EMPTY_SLUG', '404', 'emptySlug', '404'],
    ['GALLEY_CACHE_MB', '0', 'cacheMb', 0],
    ['GALLEY_FRESHNESS_MS', '0', 'freshnessMs', 0],
    ['GALLEY_STALE_SECONDS', '60', 'staleSeconds', 60],
    ['GALLEY_RATE_LIMIT', '600', 'rateLimit', 600],
    ['GALLEY_ADMIN', 'false', 'isAdminServed', false],
    ['GALLEY_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['GALLEY_ACCESS_LOG', 'true', 'isAccessLogged', true],
    ['GALLEY_METRICS', '1', 'isMetricsServed', true],
  ] as const)('%s=%s sets %s', (name, text, member, value) => {
    expect(settingsOf({ [name]: text })[member]).toEqual(value);
  });

  test('take precedence if their name has the prefix', () => {
    expect(settingsOf({ GALLEY_PORT: '1', PORT: '2' }).port).toBe(1);
    expect(settingsOf({ GALLEY_PORT: '', PORT: '2' }).port).toBe(2);
  });

  test('can name several replicas, separated by commas', () => {
    const settings = settingsOf({
      GALLEY_DATABASE_URL: 'postgres://h/d',
      GALLEY_REPLICA_URLS: 'postgres://a/d, postgres://b/d',
    });
    expect(settings.replicaUrls).toEqual(['postgres://a/d', 'postgres://b/d']);
  });
});

describe('errors', () => {
  test.each([
    ['GALLEY_PORT', 'abc'],
    ['GALLEY_PORT', '65536'],
    ['GALLEY_PORT', '-1'],
    ['GALLEY_PORT', '1e3'],
    ['GALLEY_PORT', '3000.5'],
    ['PORT', 'x'],
    ['GALLEY_HOST', 'a b'],
    ['GALLEY_HOST', 'http://x'],
    ['GALLEY_PUBLIC_URL', 'example.com'],
    ['GALLEY_PUBLIC_URL', 'ftp://example.com'],
    ['GALLEY_PUBLIC_URL', 'https://example.com/?a=b'],
    ['GALLEY_PUBLIC_URL', 'https://example.com/#a'],
    ['GALLEY_PUBLIC_URL', 'https://example.com?'],
    ['GALLEY_TRUST_PROXY', 'maybe'],
    ['GALLEY_TRUST_PROXY', '-1'],
    ['GALLEY_TRUST_PROXY', '33'],
    ['GALLEY_TRUST_PROXY', '1, 10.0.0.0/8'],
    ['GALLEY_TRUST_PROXY', '10.0.0.0/33'],
    ['GALLEY_TRUST_PROXY', '0.0.0.0/0'],
    ['GALLEY_TRUST_PROXY', '::/0'],
    ['GALLEY_TRUST_PROXY', '10.0.0.0/8/8'],
    ['GALLEY_TRUST_PROXY', '10.0.0.0/255.0.0.0'],
    ['GALLEY_TRUST_PROXY', 'loopback,'],
    ['GALLEY_TRUST_PROXY', 'fe80::1%eth0'],
    ['GALLEY_TRUST_PROXY', 'proxy.example.com'],
    ['GALLEY_ADMIN_HOSTS', 'https://cms.example.com'],
    ['GALLEY_ADMIN_HOSTS', 'cms.example.com:8080'],
    ['GALLEY_ADMIN_HOSTS', '*.example.com'],
    ['GALLEY_ADMIN_HOSTS', 'a,,b'],
    ['GALLEY_WEBHOOK_ALLOW', 'http://hooks.internal'],
    ['GALLEY_WEBHOOK_ALLOW', '10.0.0.0/33'],
    ['GALLEY_WEBHOOK_ALLOW', '0.0.0.0/0'],
    ['GALLEY_WEBHOOK_ALLOW', '*.internal'],
    ['GALLEY_HEADER_PREFIX', 'X SERVICE'],
    ['GALLEY_HEADER_PREFIX', 'X_SERVICE'],
    ['GALLEY_HEADER_PREFIX', '-X'],
    ['GALLEY_HEADER_PREFIX', 'Accept'],
    ['GALLEY_MATCH', 'some'],
    ['GALLEY_EMPTY_SLUG', '200'],
    ['GALLEY_CACHE_MB', '64MB'],
    ['GALLEY_FRESHNESS_MS', '1s'],
    ['GALLEY_STALE_SECONDS', '1h'],
    ['GALLEY_RATE_LIMIT', 'none'],
    ['GALLEY_LOG_LEVEL', 'loud'],
    ['GALLEY_METRICS', 'on'],
  ])('state the name, the given value and the allowed values for %s=%s', (name, text) => {
    const complaints = complaintsAbout({ [name]: text });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/^\w+ is ".*"; allowed: .+\.$/);
    expect(complaints[0]).toContain(`${name} is ${JSON.stringify(text)}`);
  });

  test('list every invalid setting, not only the first', () => {
    const complaints = complaintsAbout({ GALLEY_PORT: 'x', GALLEY_MATCH: 'y', GALLEY_PROT: '1', GALLEY_DEMO: 'z' });
    expect(complaints).toHaveLength(4);
  });

  test.each([
    ['GALLEY_PROT', 'GALLEY_PORT'],
    ['GALLEY_DATABASE_URI', 'GALLEY_DATABASE_URL'],
    ['GALLEY_LOGLEVEL', 'GALLEY_LOG_LEVEL'],
    ['GALLEY_PORT_FILE', 'GALLEY_PORT'],
  ])('suggest a known name for an unknown one: for %s, %s', (name, hint) => {
    expect(complaintsAbout({ [name]: '1' })).toEqual([`${name} is not a setting; did you mean ${hint}?`]);
  });

  test.each([
    ['GALLEY_DATABASE_URL', 'mysql://root:hunter2@db/galley'],
    ['GALLEY_DATABASE_URL', 'hunter2'],
    ['GALLEY_DATABASE_URL', 'hunter2:hunter2@db'],
    ['GALLEY_DATABASE_URL', 'postgres//me:hunter2@db'],
    ['GALLEY_DATABASE_URL', 'postgres://me:hunter2@db:port/x'],
    ['GALLEY_DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'mongodb://me:hunter2@db'],
    ['GALLEY_REPLICA_URLS', 'postgres://me:hunter2@a/d,mysql://me:hunter2@b/d'],
    ['GALLEY_PUBLIC_URL', 'https://me:hunter2@example.com'],
  ])('do not contain the secret from an invalid %s=%s', (name, text) => {
    const complaints = complaintsAbout({ [name]: text });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(name);
    expect(complaints.join()).not.toContain('hunter2');
  });

  test('say that replicas need PostgreSQL', () => {
    expect(complaintsAbout({ GALLEY_REPLICA_URLS: 'postgres://me:hunter2@h/d' })).toEqual([
      expect.stringMatching(/^GALLEY_REPLICA_URLS is set, but the database is SQLite; allowed: .+\.$/),
    ]);
  });

  test('shorten long values', () => {
    expect(complaintsAbout({ GALLEY_MATCH: 'x'.repeat(10_000) }).join().length).toBeLessThan(200);
  });
});

describe('secrets from files', () => {
  const path = join(folder, 'database-url');
  writeFileSync(path, 'postgres://me:hunter2@db/galley\n');

  test('are read from the file that the _FILE setting names', () => {
    const settings = settingsOf({
      GALLEY_DATABASE_URL_FILE: path,
      GALLEY_REPLICA_URLS_FILE: path,
      DATABASE_URL: 'sqlite:x',
    });
    expect(settings.databaseUrl).toEqual({ engine: 'postgres', url: 'postgres://me:hunter2@db/galley' });
    expect(settings.replicaUrls).toEqual(['postgres://me:hunter2@db/galley']);
  });

  test('are rejected if both a file and a value are set', () => {
    expect(complaintsAbout({ GALLEY_DATABASE_URL_FILE: path, GALLEY_DATABASE_URL: 'sqlite:x' })).toEqual([
      'GALLEY_DATABASE_URL and GALLEY_DATABASE_URL_FILE are both set; only one of them is allowed.',
    ]);
  });

  test('are rejected if the file is missing, empty or invalid, and the error does not quote its content', () => {
    const missing = join(folder, 'missing');
    const empty = join(folder, 'empty');
    const wrong = join(folder, 'wrong');
    writeFileSync(empty, '\n');
    writeFileSync(wrong, 'oracle://me:hunter2@db');
    expect(complaintsAbout({ GALLEY_DATABASE_URL_FILE: missing })[0]).toContain('cannot be read (ENOENT)');
    expect(complaintsAbout({ GALLEY_DATABASE_URL_FILE: empty })[0]).toContain('which is empty');
    const complaint = complaintsAbout({ GALLEY_DATABASE_URL_FILE: wrong }).join();
    expect(complaint).toMatch(/^GALLEY_DATABASE_URL_FILE is /);
    expect(complaint).not.toContain('hunter2');
  });
});

describe('Kubernetes service links', () => {
  const links = {
    GALLEY_SERVICE_HOST: '10.0.0.7',
    GALLEY_SERVICE_PORT: '3000',
    GALLEY_SERVICE_PORT_HTTP: '3000',
    GALLEY_PORT: 'tcp://10.0.0.7:3000',
    GALLEY_PORT_3000_TCP: 'tcp://10.0.0.7:3000',
    GALLEY_PORT_3000_TCP_ADDR: '10.0.0.7',
  };

  test('are ignored for a Service named galley', () => {
    expect(settingsOf({ ...links, PORT: '8080' }).port).toBe(8080);
  });

  test('do not hide a typo or a real port', () => {
    expect(complaintsAbout({ ...links, GALLEY_SERVICE: '1' })).toHaveLength(1);
    expect(settingsOf({ ...links, GALLEY_PORT: '9000' }).port).toBe(9000);
    expect(complaintsAbout({ GALLEY_PORT: 'tcp://10.0.0.7:3000' })).toHaveLength(1);
  });
});

describe('loadEnvironment', () => {
  test('prefers the real environment to the .env file', () => {
    writeFileSync(join(folder, '.env'), '# local\nGALLEY_PORT=4000\nGALLEY_HOST="::1"\n');
    const environment = loadEnvironment(folder, { GALLEY_PORT: '5000', HOME: '/root' });
    expect(environment).toEqual({ GALLEY_PORT: '5000', GALLEY_HOST: '::1', HOME: '/root' });
  });

  test('returns the process environment if there is no .env file', () => {
    expect(loadEnvironment(join(folder, 'nowhere'))).toEqual({ ...process.env });
  });
});

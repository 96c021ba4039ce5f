// The deployment files (Dockerfile, compose.yaml, deploy) refer to Galley's settings, paths and ports. These tests fail when a file is
// out of date.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { LONGEST_STOP_MS } from '../../src/cli/serve-with-workers.ts';
import { MOST_BODY_BYTES } from '../../src/management/parse-request.ts';
import { SETTING_ROWS, type SettingRow } from '../../src/settings/setting-rows.ts';
import { readSettings } from '../../src/settings.ts';
import { MOST_CONNECTIONS } from '../../src/storage/postgres/connections.ts';
import { findText, listCopies, readDockerfile, readVariables } from '../support/dockerfile.ts';
import { makeFolder } from '../support/galley-command.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const ROWS: readonly SettingRow<unknown>[] = Object.values(SETTING_ROWS);
const NAMES = ROWS.flatMap(({ name, isSecret }) => (isSecret === true ? [name, `${name}_FILE`] : [name]));
const FILES = ['Dockerfile', 'compose.yaml', ...listFiles('deploy')];
const PORT = String(SETTING_ROWS.port.fallback);
const CONFIG_MAP = 'deploy/kubernetes/config-map.yaml';
const DEPLOYMENT = 'deploy/kubernetes/deployment.yaml';
/** The longest time the service may take to stop. */
const STOP_SECONDS = LONGEST_STOP_MS / 1000;

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/secrets'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function findAll(path: string, pattern: RegExp): readonly string[] {
  return [...readText(path).matchAll(pattern)].map(([, found = '']) => found);
}

/** The only number that matches the pattern. */
function readNumber(path: string, pattern: RegExp): number {
  const [found, ...others] = findAll(path, pattern);
  if (found === undefined || others.length > 0) throw new Error(`${path} does not contain ${pattern} exactly once`);
  return Number(found);
}

/** `NAME: value` lines. */
function readPairs(path: string): Readonly<Record<string, string>> {
  const pairs = [...readText(path).matchAll(/^ +(GALLEY_\w+): (.*)$/gm)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replaceAll('"', '')]));
}

test.each(FILES)('%s uses only existing settings', (path) => {
  const unknown = findAll(path, /\b(GALLEY_[A-Z_]+)\b/g).filter((name) => !NAMES.includes(name));
  expect(unknown).toEqual([]);
});

test.each(['compose.yaml', CONFIG_MAP])(
  '%s sets everything a service needs to start, and configures PostgreSQL with replicas',
  (path) => {
    const pairs = readPairs(path);
    expect(Object.keys(pairs)).toContain('GALLEY_DATABASE_URL_FILE');
    const settings = readSettings(pairs, (file) => `postgres://galley:secret@${file.split('/').at(-1)}:5432/galley`);
    if (!settings.ok) throw new Error(settings.problem.join('\n'));
    expect(settings.value).toMatchObject({
      databaseUrl: { engine: 'postgres' },
      replicaUrls: ['postgres://galley:secret@replica-urls:5432/galley'],
      trustProxy: 1,
      isMetricsServed: true,
    });
  },
);

test('every secret that a setting refers to exists under that name', () => {
  const compose = readText('compose.yaml');
  const declared = compose.slice(compose.indexOf('\nsecrets:'));
  for (const name of findAll('compose.yaml', /_FILE: \/run\/secrets\/(\S+)/g)) {
    expect(declared).toContain(`\n  ${name}: { file: deploy/secrets/${name} }`);
    expect(readText('deploy/create-secrets.sh')).toContain(`> secrets/${name}\n`);
  }
  for (const name of findAll(CONFIG_MAP, /_FILE: \/run\/secrets\/galley\/(\S+)/g)) {
    expect(readText('deploy/kubernetes/secret.example.yaml')).toContain(`\n  ${name}: postgres://`);
  }
  expect(readText(DEPLOYMENT)).toContain('mountPath: /run/secrets/galley,');
});

test('a service starts with the generated secrets, which no other user can read', async () => {
  await using folder = await makeFolder();
  cpSync(join(ROOT, 'deploy/create-secrets.sh'), join(folder.path, 'create-secrets.sh'));
  const run = (): number | null => spawnSync('sh', ['create-secrets.sh'], { cwd: folder.path }).status;
  expect(run()).toBe(0);
  const secrets = join(folder.path, 'secrets');
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  const made = Object.fromEntries(
    readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8')]),
  );
  const settings = readSettings(readPairs('compose.yaml'), (file) => made[file.replace('/run/secrets/', '')] ?? '');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  const password = made['database-password'];
  expect(password).toMatch(/^[0-9a-f]{48}$/);
  expect(made['replication-password']).toMatch(/^[0-9a-f]{48}$/);
  expect(made['database-url']).toBe(`postgres://galley:${password}@primary:5432/galley`);
  expect(settings.value.replicaUrls).toEqual([`postgres://galley:${password}@replica:5432/galley`]);
  // Secrets already in use are not regenerated.
  expect(run()).toBe(1);
  expect(readFileSync(join(secrets, 'database-password'), 'utf8')).toBe(password);
});

test('the port is the same everywhere', () => {
  const [image] = readDockerfile(ROOT).slice(-1);
  if (image === undefined) throw new Error('The Dockerfile is empty');
  expect(findText(image, 'EXPOSE')).toBe(PORT);
  expect(findAll('deploy/Caddyfile', /galley-\d:(\d+)/g)).toEqual([PORT, PORT]);
  expect(findAll(DEPLOYMENT, /(?:containerPort: |prometheus.io\/port: ")(\d+)/g)).toEqual([PORT, PORT]);
});

test('the health check paths match the service', () => {
  const asked = FILES.flatMap((path) => findAll(path, /(\/(?:[a-z]+z|metrics))\b/g));
  expect([...new Set(asked)].sort()).toEqual(['/livez', '/metrics', '/readyz']);
});

test('the files that compose.yaml mounts exist', () => {
  const mounted = findAll('compose.yaml', /- \.\/(\S+?):/g);
  expect(mounted).toHaveLength(3);
  for (const path of mounted) expect(existsSync(join(ROOT, path)), path).toBe(true);
});

test('the Kubernetes example lists only existing files, and all of them except the secret', () => {
  const listed = findAll('deploy/kubernetes/kustomization.yaml', /^ {2}- (\S+\.yaml)$/gm);
  const others = ['kustomization.yaml', 'secret.example.yaml'];
  expect([...listed, ...others].sort()).toEqual(readdirSync(join(ROOT, 'deploy/kubernetes')).sort());
});

test('pods and containers get more time to stop than the service needs', () => {
  const [podDrain, imageDrain] = [readPairs(CONFIG_MAP).GALLEY_DRAIN_MS, readImageDrain()];
  expect([podDrain, imageDrain]).toEqual(['5000', '5000']);
  const needed = Number(imageDrain) / 1000 + STOP_SECONDS;
  expect(readNumber(DEPLOYMENT, /terminationGracePeriodSeconds: (\d+)/g)).toBeGreaterThan(needed);
  expect(readNumber('compose.yaml', /^x-node:[\s\S]*?stop_grace_period: (\d+)s/gm)).toBeGreaterThan(needed);
  expect(readNumber('docs/guides/deployment.md', /docker run .*--stop-timeout (\d+)/g)).toBeGreaterThan(needed);
});

test('the load balancer in compose.yaml detects during the drain phase that a node is stopping', () => {
  const interval = readNumber('deploy/Caddyfile', /health_interval (\d+)s/g);
  expect(interval * 1000).toBeLessThan(Number(readImageDrain()));
});

function readImageDrain(): string | undefined {
  const image = readDockerfile(ROOT).at(-1);
  return image && readVariables(image).GALLEY_DRAIN_MS;
}

test("all pods that can run at the same time during a rolling update stay within PostgreSQL's connection limit", () => {
  // PostgreSQL's defaults for max_connections and superuser_reserved_connections, plus a few for commands and monitoring.
  const [allowed, reserved, others] = [100, 3, 10];
  const replicas = readNumber('deploy/kubernetes/autoscaler.yaml', /maxReplicas: (\d+)/g);
  const surge = readNumber(DEPLOYMENT, /maxSurge: (\d+)/g);
  // Kubernetes does not count pods that are stopping. The next pod starts once the previous one has been ready for this long.
  const stopping = surge;
  expect(readNumber(DEPLOYMENT, /minReadySeconds: (\d+)/g)).toBeGreaterThanOrEqual(
    readNumber(DEPLOYMENT, /terminationGracePeriodSeconds: (\d+)/g),
  );
  const held = (replicas + surge + stopping) * MOST_CONNECTIONS.toPrimary + reserved;
  expect(held + others).toBeLessThanOrEqual(allowed);
  expect(readText('deploy/kubernetes/autoscaler.yaml')).toContain(`× ${MOST_CONNECTIONS.toPrimary} + 3`);
  expect(readText('deploy/kubernetes/autoscaler.yaml')).toContain(`superusers = ${held}\n`);
});

test('the nodes in compose.yaml stay within the connection limits of the primary and the replica', () => {
  const nodes = findAll('compose.yaml', /^ {2}(galley-\d):$/gm).length;
  const allowed = readNumber('compose.yaml', /max_connections=(\d+)/g);
  expect(nodes * MOST_CONNECTIONS.toPrimary).toBeLessThan(allowed - 20);
  // A standby does not start unless it allows at least as many connections as its primary.
  expect(readNumber('deploy/postgres/start-replica.sh', /max_connections=(\d+)/g)).toBe(allowed);
});

test.each(['docs/guides/scaling.md', 'docs/settings.md'])(
  '%s states the same connection limits as the code',
  (page) => {
    const { toPrimary, toReplica } = MOST_CONNECTIONS;
    const text = readText(page);
    expect(text).toContain(`up to ${toPrimary} connections`);
    expect(text).toContain(`up to ${toReplica} `);
  },
);

test('/metrics is not public', () => {
  expect(readText('deploy/Caddyfile')).toMatch(/^\trespond \/metrics 404$/m);
  const paths = [...readText('deploy/kubernetes/ingress.yaml').matchAll(/path: (\S+), pathType: (Exact|Prefix)/g)];
  const isPublic = (asked: string): boolean =>
    paths.some(([, path, type]) => asked === path || (type === 'Prefix' && asked.startsWith(`${path}/`)));
  const open = [
    '/',
    '/api/v1/content',
    '/assets/s_demo/a_ink/0123/ink.jpg',
    '/docs',
    '/docs/explorer.js',
    '/openapi.json',
    '/admin',
    '/admin/sign-in',
  ];
  expect([...open, '/manage/v1/sites', '/manage/docs'].filter((path) => !isPublic(path))).toEqual([]);
  expect(['/metrics', '/livez', '/readyz', '/metrics/'].filter(isPublic)).toEqual([]);
  // Inside the cluster, the network policy lists the clients that may connect.
  const policy = readText('deploy/kubernetes/network-policy.yaml');
  expect(policy).toMatch(/podSelector:\n +matchLabels: \{ app: galley \}/);
  expect(policy).toMatch(/policyTypes: \[Ingress\]/);
  expect(policy.match(/kubernetes\.io\/metadata\.name: \S+/g)).toHaveLength(2);
});

test('the proxy in compose.yaml keeps its certificates, and is open to the internet only when a host is set', () => {
  const compose = readText('compose.yaml');
  expect(compose).toMatch(/^ {6}- caddy:\/data$/m);
  expect(compose).toMatch(/^volumes:\n(?: {2}\w+:\n)* {2}caddy:$/m);
  expect(findAll('compose.yaml', /ports: \[(.*)\]/g)).toEqual(['"127.0.0.1:8080:8080"']);
  const open = readText('deploy/compose.public.yaml');
  expect(open).toMatch(/ports: \["80:80", "443:443", "443:443\/udp"\]/);
  expect(open.match(/GALLEY_PUBLIC_URL: https:\/\/\$\{SITE_HOST/g)).toHaveLength(2);
  expect(readText('deploy/Caddyfile')).toMatch(/^:8080 \{\$SITE_HOST\} \{$/m);
});

test('the example says which lines to delete when there are no replicas', () => {
  const example = readText('deploy/kubernetes/secret.example.yaml');
  const [, secret = '', setting = ''] = /delete (\S+) below and (\S+) in config-map\.yaml/.exec(example) ?? [];
  expect(example).toContain(`\n  ${secret}: `);
  const left = Object.entries(readPairs(CONFIG_MAP)).filter(([name]) => name !== setting);
  const settings = readSettings(Object.fromEntries(left), () => 'postgres://galley:secret@primary:5432/galley');
  expect(settings.ok && settings.value.replicaUrls).toEqual([]);
});

describe('the files for a plain server', () => {
  const UNIT = 'deploy/systemd/galley.service';
  const BACKUP = 'deploy/systemd/galley-backup.service';
  const page = readText('docs/guides/plain-server.md');

  /** All values of a key in a unit file. */
  const readUnit = (path: string, name: string): readonly string[] => findAll(path, new RegExp(`^${name}=(.*)$`, 'gm'));

  test('the service gets more time to stop than it needs', () => {
    expect(Number(readUnit(UNIT, 'TimeoutStopSec')[0])).toBeGreaterThan(STOP_SECONDS);
    expect(readUnit(UNIT, 'KillSignal')).toEqual(['SIGTERM']);
  });

  test('the service can write only to its state folder, and V8 can still compile code', () => {
    for (const path of [UNIT, BACKUP]) {
      expect(readUnit(path, 'ProtectSystem'), path).toEqual(['strict']);
      expect(readUnit(path, 'NoNewPrivileges'), path).toEqual(['true']);
      expect(readUnit(path, 'CapabilityBoundingSet'), path).toEqual(['']);
      expect(readUnit(path, 'User'), path).toEqual(['galley']);
      expect(readUnit(path, 'MemoryDenyWriteExecute'), path).toEqual([]);
      expect(readUnit(path, 'WorkingDirectory'), path).toEqual(['/var/lib/galley']);
      expect(readUnit(path, 'StateDirectory')[0], path).toMatch(/^galley\b/);
    }
  });

  test('the units, the script and the page use the same program, settings and folders', () => {
    const program = '/usr/local/bin/node /opt/galley/packages/server/bin/galley.js';
    expect(readUnit(UNIT, 'ExecStart')).toEqual([`${program} serve`]);
    expect(readUnit(BACKUP, 'ExecStart')[0]).toContain(`exec ${program} backup --force backups/`);
    expect(readText('deploy/systemd/galley')).toContain(
      `cd /var/lib/galley\nexec runuser -u galley -- ${program} "$@"`,
    );
    expect(existsSync(join(ROOT, 'packages/server/bin/galley.js'))).toBe(true);
    const [settings = ''] = readUnit(UNIT, 'EnvironmentFile');
    expect(readUnit(BACKUP, 'EnvironmentFile')).toEqual([settings]);
    const [kept] = findAll(BACKUP, /find \/var\/lib\/galley\/backups .*-mtime \+(\d+) /g);
    expect(page).toContain(`older than ${kept} days`);
    const named = [
      settings,
      program,
      '/var/lib/galley',
      '/usr/local/sbin/galley',
      'useradd --system',
      '127.0.0.1:3000',
    ];
    expect(named.filter((text) => !page.includes(text))).toEqual([]);
  });

  test('the commands on the page install every file in deploy/systemd, and no others', () => {
    const installed = [...page.matchAll(/\/opt\/galley\/(deploy\/systemd\/[\w.-]+)/g)].map(([, path]) => path);
    expect([...new Set(installed)].sort()).toEqual(listFiles('deploy/systemd').toSorted());
  });

  test('the example settings are valid and suit a service behind a proxy', () => {
    const settings = readSettings(parseEnv(readText('deploy/systemd/galley.env.example')), () => '');
    if (!settings.ok) throw new Error(settings.problem.join('\n'));
    expect(settings.value).toMatchObject({ trustProxy: 1, isDemoWanted: false, isMetricsServed: false, port: 3000 });
  });

  test('both proxies hide /metrics and overwrite the headers that Galley trusts', () => {
    const [caddy = '', nginx = ''] = ['caddyfile', 'nginx'].map(
      (kind) => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1],
    );
    expect(caddy).toContain('respond /metrics 404');
    expect(nginx).toMatch(/location = \/metrics \{\s+return 404;/);
    // By default, Caddy overwrites the other three X-Forwarded headers, but not these two.
    for (const header of ['Port', 'Prefix']) expect(caddy).toContain(`header_up -X-Forwarded-${header}`);
    for (const header of ['For', 'Host', 'Proto', 'Port', 'Prefix']) {
      expect(nginx).toContain(`proxy_set_header X-Forwarded-${header} `);
    }
    expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
    expectRoom(/client_max_body_size (\d+)m;/.exec(nginx)?.[1], /proxy_read_timeout (\d+)s;/.exec(nginx)?.[1]);
    // By default, Caddy limits neither the body size nor the response time.
    for (const text of [caddy, readText('deploy/Caddyfile')])
      expect(text).not.toMatch(/timeout(?<!health_timeout) |max_size/);
  });

  test('a failed installation leaves the current release untouched', () => {
    const [, install = ''] = /^## 2\.[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(page) ?? [];
    const run = (git: string): string => {
      const stubs = `git() { ${git}; }; npm() { echo npm; }; ln() { echo ln; }; cd() { echo "$1"; }`;
      return spawnSync('bash', ['-c', `${stubs}\n${install}`], { encoding: 'utf8' }).stdout;
    };
    expect(run('true')).toMatch(/^\/opt\/galley-\d{4}-\d\d-\d\d-\d{6}\nnpm\nnpm\nln\n$/);
    expect(run('false')).toBe('');
  });
});

test('the Ingress allows large bodies and slow requests', () => {
  const [size] = findAll(
    'deploy/kubernetes/ingress.yaml',
    /^ {4}nginx\.ingress\.kubernetes\.io\/proxy-body-size: (\d+)m$/gm,
  );
  const [time] = findAll(
    'deploy/kubernetes/ingress.yaml',
    /^ {4}nginx\.ingress\.kubernetes\.io\/proxy-read-timeout: "(\d+)"$/gm,
  );
  expectRoom(size, time);
});

/** The proxy's limits must be above the service's, because a deletion can take minutes. */
function expectRoom(megabytes: string | undefined, seconds: string | undefined): void {
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(MOST_BODY_BYTES);
  expect(Number(seconds)).toBeGreaterThanOrEqual(600);
}

test('every proxy allows uploads of the default size, streams them, and serves files', () => {
  const most = SETTING_ROWS.maxUploadMb.fallback * 1024 * 1024;
  const nginx = readText('docs/guides/plain-server.md');
  expect(Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024).toBeGreaterThan(most);
  expect(nginx).toContain('proxy_request_buffering off;');
  const ingress = readText('deploy/kubernetes/ingress.yaml');
  expect(Number(/proxy-body-size: (\d+)m/.exec(ingress)?.[1]) * 1024 * 1024).toBeGreaterThan(most);
  expect(ingress).toContain('proxy-request-buffering: "off"');
  expect(ingress).toContain('path: /assets, pathType: Prefix');
});

test('all nodes in a fleet share the uploaded files, and can write wherever they need to', () => {
  const compose = readText('compose.yaml');
  const node = compose.slice(compose.indexOf('x-node:'), compose.indexOf('x-postgres:'));
  expect(node).toContain('    - files:/data\n');
  expect(compose).toMatch(/^volumes:\n {2}files:$/m);
  // The image's working directory is /, so the default folders are in the volume.
  for (const { fallback } of [SETTING_ROWS.imageCacheDir]) expect(fallback).toMatch(/^\.\/data\//);
  expect(SETTING_ROWS.assetsUrl.fallback).toMatchObject({ kind: 'folder', path: './data/assets' });

  const settings = readSettings(readPairs(CONFIG_MAP), () => 'postgres://galley:secret@primary:5432/galley');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  expect(settings.value).toMatchObject({ assetsUrl: { kind: 'bucket' }, imageCache: 'bucket' });
  const mounts = findAll(DEPLOYMENT, /mountPath: (\/[\w/]+)(?! *, readOnly)/g);
  expect(mounts.some((path) => settings.value.imageCacheDir.startsWith(`${path}/`))).toBe(true);
  for (const key of findAll(DEPLOYMENT, /secretKeyRef: \{ name: galley, key: ([\w-]+)/g)) {
    expect(readText('deploy/kubernetes/secret.example.yaml')).toContain(`\n  ${key}: `);
  }
});

test('everything that routes requests to nodes checks their readiness', () => {
  expect(readText('deploy/Caddyfile')).toMatch(/health_uri \/readyz\n/);
  expect(readText(DEPLOYMENT)).toMatch(/readinessProbe:\n +httpGet: \{ path: \/readyz,/);
});

test('the image is built with the package manifest of every workspace', () => {
  const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(readText('package.json'));
  const folders = workspaces.flatMap((path) =>
    path.endsWith('/*') ? readdirSync(join(ROOT, path.slice(0, -2))).map((name) => path.replace('*', name)) : [path],
  );
  const manifests = folders.map((path) => `${path}/package.json`).filter((path) => existsSync(join(ROOT, path)));
  for (const stage of readDockerfile(ROOT).slice(0, 2)) {
    const copied = listCopies(stage).flatMap(({ sources }) => sources);
    expect(copied.filter((path) => path.includes('/')).sort(), stage.name).toEqual(manifests.sort());
  }
});

test("the image uses the project's Node.js release", () => {
  const [major = ''] = readText('.nvmrc').trim().split('.');
  for (const { base } of readDockerfile(ROOT)) expect(base).toBe(`node:${major}-slim`);
});

// The files in which others start Galley (Dockerfile, compose.yaml, deploy) name its settings, paths and ports. Nothing
// complains when they go out of date, so these tests do.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTING_ROWS, type SettingRow } from '../../src/settings/setting-rows.ts';
import { readSettings } from '../../src/settings.ts';
import { findText, listCopies, readDockerfile } from '../support/dockerfile.ts';
import { makeFolder } from '../support/galley-command.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const ROWS: readonly SettingRow<unknown>[] = Object.values(SETTING_ROWS);
const NAMES = ROWS.flatMap(({ name, isSecret }) => (isSecret === true ? [name, `${name}_FILE`] : [name]));
const FILES = ['Dockerfile', 'compose.yaml', ...listFiles('deploy')];
const PORT = String(SETTING_ROWS.port.fallback);
const CONFIG_MAP = 'deploy/kubernetes/config-map.yaml';

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

/** `NAME: value` lines. */
function readPairs(path: string): Readonly<Record<string, string>> {
  const pairs = [...readText(path).matchAll(/^ +(GALLEY_\w+): (.*)$/gm)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replaceAll('"', '')]));
}

test.each(FILES)('%s names no setting that does not exist', (path) => {
  const unknown = findAll(path, /\b(GALLEY_[A-Z_]+)\b/g).filter((name) => !NAMES.includes(name));
  expect(unknown).toEqual([]);
});

test.each(['compose.yaml', CONFIG_MAP])(
  '%s sets what a service starts with, and means PostgreSQL with replicas',
  (path) => {
    const pairs = readPairs(path);
    expect(Object.keys(pairs)).toContain('GALLEY_DATABASE_URL_FILE');
    const settings = readSettings(pairs, (file) => `postgres://galley:secret@${file.split('/').at(-1)}:5432/galley`);
    if (!settings.ok) throw new Error(settings.problem.join('\n'));
    expect(settings.value).toMatchObject({
      databaseUrl: { engine: 'postgres' },
      replicaUrls: ['postgres://galley:secret@replica-urls:5432/galley'],
      trustProxy: true,
      isMetricsServed: true,
    });
  },
);

test('every secret that a setting is read from is there under that name', () => {
  const compose = readText('compose.yaml');
  const declared = compose.slice(compose.indexOf('\nsecrets:'));
  for (const name of findAll('compose.yaml', /_FILE: \/run\/secrets\/(\S+)/g)) {
    expect(declared).toContain(`\n  ${name}: { file: deploy/secrets/${name} }`);
    expect(readText('deploy/create-secrets.sh')).toContain(`> secrets/${name}\n`);
  }
  for (const name of findAll(CONFIG_MAP, /_FILE: \/run\/secrets\/galley\/(\S+)/g)) {
    expect(readText('deploy/kubernetes/secret.example.yaml')).toContain(`\n  ${name}: postgres://`);
  }
  expect(readText('deploy/kubernetes/deployment.yaml')).toContain('mountPath: /run/secrets/galley,');
});

test('the secrets that are made are ones that a service starts with, and nobody else may read', async () => {
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
  // Nothing that is in use is made anew.
  expect(run()).toBe(1);
  expect(readFileSync(join(secrets, 'database-password'), 'utf8')).toBe(password);
});

test('the port is the same everywhere', () => {
  const [image] = readDockerfile(ROOT).slice(-1);
  if (image === undefined) throw new Error('The Dockerfile is empty');
  expect(findText(image, 'EXPOSE')).toBe(PORT);
  expect(findAll('deploy/Caddyfile', /galley-\d:(\d+)/g)).toEqual([PORT, PORT]);
  expect(findAll('deploy/kubernetes/deployment.yaml', /(?:containerPort: |prometheus.io\/port: ")(\d+)/g)).toEqual([
    PORT,
    PORT,
  ]);
});

test('the health paths are those of the service', () => {
  const asked = FILES.flatMap((path) => findAll(path, /(\/(?:[a-z]+z|metrics))\b/g));
  expect([...new Set(asked)].sort()).toEqual(['/livez', '/metrics', '/readyz']);
});

test('the files that compose.yaml mounts are there', () => {
  const mounted = findAll('compose.yaml', /- \.\/(\S+?):/g);
  expect(mounted).toHaveLength(3);
  for (const path of mounted) expect(existsSync(join(ROOT, path)), path).toBe(true);
});

test('the files that the Kubernetes example lists are there, and none but the secret is left out', () => {
  const listed = findAll('deploy/kubernetes/kustomization.yaml', /^ {2}- (\S+\.yaml)$/gm);
  const others = ['kustomization.yaml', 'secret.example.yaml'];
  expect([...listed, ...others].sort()).toEqual(readdirSync(join(ROOT, 'deploy/kubernetes')).sort());
});

test('pods get as long to stop as the service may take', () => {
  const [grace, pause] = [/terminationGracePeriodSeconds: (\d+)/g, /sleep: \{ seconds: (\d+) \}/g].map((pattern) =>
    Number(findAll('deploy/kubernetes/deployment.yaml', pattern)[0]),
  );
  expect((grace ?? 0) - (pause ?? 0)).toBeGreaterThan(12.5);
});

test('whoever sends requests to nodes asks each whether it is ready', () => {
  expect(readText('deploy/Caddyfile')).toMatch(/health_uri \/readyz\n/);
  expect(readText('deploy/kubernetes/deployment.yaml')).toMatch(/readinessProbe:\n +httpGet: \{ path: \/readyz,/);
});

test('the image is built with the manifest of every workspace', () => {
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

test('the image is of the Node.js release that the project runs on', () => {
  const [major = ''] = readText('.nvmrc').trim().split('.');
  for (const { base } of readDockerfile(ROOT)) expect(base).toBe(`node:${major}-slim`);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeFolder, startServer } from '../support/galley-command.ts';

const DASHBOARD = join(import.meta.dirname, '../../../../deploy/grafana/galley-dashboard.json');

/** Metrics that exist only with PostgreSQL; the last two exist only with replicas. */
const OF_POSTGRES = [
  'galley_database_stamp_age_seconds',
  'galley_database_listener_up',
  'galley_database_failed_polls_total',
  'galley_database_connections',
  'galley_replica_up',
  'galley_replica_lag_seconds',
];

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
let printed: string;

beforeAll(async () => {
  await using folder = await makeFolder();
  await using server = await startServer({ cwd: folder.path, env: { GALLEY_METRICS: 'true' } });
  const headers = { authorization: `Bearer ${/gk_[\w-]+/.exec(server.printed)?.[0]}`, 'x-service-site': 's_demo' };
  expect((await fetch(`${server.url}/api/v1/content`, { headers })).status).toBe(200);
  printed = await (await fetch(`${server.url}/metrics`)).text();
});

/** The names of all series, including those of histograms without observations. */
function listNames(): ReadonlySet<string> {
  const names = [...printed.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  );
  return new Set(names);
}

test('the dashboard queries only metrics that /metrics exposes, with their actual labels', () => {
  const names = listNames();
  for (const expression of expressions) {
    const asked = [...expression.matchAll(/\b((?:galley|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
    expect(asked.length, expression).toBeGreaterThan(0);
    for (const [, name = '', labels = ''] of asked) {
      if (OF_POSTGRES.includes(name)) continue;
      expect(names, expression).toContain(name);
      const own = labels.split(',').filter((label) => !label.startsWith('instance'));
      for (const label of own) expect(printed, expression).toMatch(new RegExp(`^${name}\\{[^}]*${label}`, 'm'));
    }
  }
});

test('the dashboard shows each Galley metric', () => {
  const shown = expressions.join('\n');
  const own = [...printed.matchAll(/^# TYPE (galley_\w+)/gm)].map(([, name]) => name);
  expect(own.length).toBeGreaterThan(8);
  for (const name of [...own, ...OF_POSTGRES]) expect(shown).toContain(name);
});

test('the dashboard gives each panel a unique ID', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { findFolder, listBlocks, PAGES, renderBlock, replaceBlocks } from './figure-blocks.ts';
import { PLAIN_FIGURES } from './judge-figures.ts';
import { AGAINST_BARE } from './judge-load.ts';
import { judgeReport } from './judge-report.ts';
import { REPORT_FOLDER, type Report, readReport } from './report-file.ts';
import { judge } from './verdict.ts';

const LIST = { section: 'Lists', unit: '/s', yardstick: 100, bar: { relation: '≥', value: 0.25 } } as const;
const REPORT: Report = {
  kind: 'full',
  date: '2026-01-31T08:00:00.000Z',
  command: 'npm run bench:full',
  machine: { cpu: 'Some', cores: 2, memory_mb: 4096, os: 'Linux', arch: 'x64', load_before: 0 },
  versions: { galley: '1.0.0', node: 'v24', sqlite: undefined },
  verdicts: [
    judge({ ...LIST, what: 'first page', figure: 50, ratio: 0.5 }),
    judge({ ...LIST, what: 'last page', figure: 20, ratio: 0.2 }),
  ],
  charts: ['full-2026-01-31-growth.svg'],
};
const PAGE = [
  'Before.',
  '<!-- figures: full summary -->',
  '<!-- /figures -->',
  'Between.',
  '<!-- figures: peers table old.json -->',
  'kept',
  '<!-- /figures -->',
  'After.',
].join('\n');

test('fills only blocks of the matching kind, and leaves everything else unchanged', () => {
  expect(replaceBlocks(PAGE, REPORT, 'full-2026-01-31.json', 'docs/benchmarks')).toMatchInlineSnapshot(`
    "Before.
    <!-- figures: full summary full-2026-01-31.json -->

    | category | tightest result | measured | target | met |
    |---|---|---:|---:|---|
    | Lists | last page | 0.20 | ≥ 0.25 | **no** |

    \`npm run bench:full\`, 2026-01-31, Some, 2 cores, 4 GB; galley 1.0.0, node v24.

    <!-- /figures -->
    Between.
    <!-- figures: peers table old.json -->
    kept
    <!-- /figures -->
    After."
  `);
});

test('produces the same result when a block is filled again', () => {
  const once = replaceBlocks(PAGE, REPORT, 'full.json', 'benchmarks');
  expect(replaceBlocks(once, REPORT, 'full.json', 'benchmarks')).toBe(once);
  expect(listBlocks(once).map(({ kind, form, file }) => [kind, form, file])).toEqual([
    ['full', 'summary', 'full.json'],
    ['peers', 'table', 'old.json'],
  ]);
});

test('shows all rows in table form', () => {
  const page = '<!-- figures: full table -->\n<!-- /figures -->';
  const filled = replaceBlocks(page, REPORT, 'full.json', 'benchmarks');
  expect(filled).toContain('| **Lists** | | | | | |\n| first page | 50 /s | 100 /s | 0.50 | ≥ 0.25 | yes |');
  expect(filled).toContain('![How list speed changes as a site grows](benchmarks/full-2026-01-31-growth.svg)');
  expect(filled).toContain('| last page | 20 /s | 100 /s | 0.20 | ≥ 0.25 | **no** |');
});

test('shows three figures for the large site as highlights, and rejects a report that lacks one of them', () => {
  const page = '<!-- figures: full highlights -->\n<!-- /figures -->';
  const against = { unit: '/s', yardstick: 15_000, bar: { relation: '≥', value: 0.5 } } as const;
  const memory = { unit: 'MB', bar: { relation: '<', value: 200 } } as const;
  const verdicts = [
    judge({
      ...against,
      section: AGAINST_BARE.repeated,
      what: 'object by id, 9,000 objects',
      figure: 16_000,
      ratio: 1.1,
    }),
    ...['1,000', '9,000'].map((size, at) =>
      judge({
        ...against,
        section: AGAINST_BARE['first-time'],
        what: `list of 20, newest first, first page, ${size} objects`,
        figure: 4000 - at,
        ratio: 0.3,
      }),
    ),
    judge({ ...memory, section: PLAIN_FIGURES, what: 'memory under load, 9,000 objects', figure: 177 }),
  ];
  expect(
    replaceBlocks(page, { ...REPORT, verdicts }, 'full.json', 'benchmarks')
      .split('\n')
      .slice(2, 7),
  ).toEqual([
    '| On a site of 9,000 objects | Galley | bare `node:http`, same bytes |',
    '|---|---:|---:|',
    '| An object by its ID, requested again | 16,000 requests/s | 15,000 requests/s |',
    '| A list of 20, requested for the first time | 3,999 requests/s | 15,000 requests/s |',
    '| Memory under load | 177 MB | – |',
  ]);
  expect(() => replaceBlocks(page, REPORT, 'full.json', 'benchmarks')).toThrow('The report has no row "object by id"');
});

test.each(PAGES.map((page) => [basename(page), page] as const))(
  '%s shows the figures from the reports it names, and no others',
  (_, page) => {
    const blocks = listBlocks(readFileSync(page, 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    for (const { kind, form, file, body } of blocks) {
      if (file === undefined) {
        expect(body.trim()).toBe('');
        continue;
      }
      const report = readReport(join(REPORT_FOLDER, file));
      expect(report.kind).toBe(kind);
      expect(body).toBe(renderBlock(form, report, findFolder(page)));
    }
  },
);

test.each(readdirSync(REPORT_FOLDER).filter((name) => name.endsWith('.json')))(
  '%s is evaluated with the current targets (npm run bench:render)',
  (name) => {
    const report = readReport(join(REPORT_FOLDER, name));
    expect(judgeReport(report)).toEqual(report.verdicts);
  },
);

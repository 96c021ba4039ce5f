import { expect, test } from 'vitest';
import { renderTable } from './table.ts';
import { judge } from './verdict.ts';

test('prints a table that names each section once and aligns its columns', () => {
  const list = { section: 'Lists', unit: '/s', yardstick: 40_000, bar: { relation: '≥', value: 0.25 } } as const;
  const verdicts = [
    judge({ ...list, what: 'list, first page', figure: 20_000, ratio: 0.5 }),
    judge({ ...list, what: 'list, last page', figure: 2000, ratio: 0.05 }),
    judge({ section: 'Own', what: 'import', figure: 4321.9, unit: 'objects/s', bar: { relation: '≥', value: 5000 } }),
    judge({ section: 'Own', what: 'start', figure: 0.25, unit: 's', bar: { relation: '<', value: 1 } }),
  ];
  expect(renderTable(verdicts, false)).toMatchInlineSnapshot(`
    "                              figure   compared with   ratio    target   met

    Lists
      list, first page         20,000 /s       40,000 /s    0.50    ≥ 0.25   yes
      list, last page           2,000 /s       40,000 /s    0.05    ≥ 0.25    NO

    Own
      import             4,322 objects/s               –       –   ≥ 5,000    NO
      start                       0.25 s               –       –       < 1   yes
    "
  `);
});

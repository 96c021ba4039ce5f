import type { VersionEntryBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { findFirstNumber, foldVersions } from './fold-versions.ts';

const OLIVE = { id: 'n_olive', name: 'Olive Owner' };
const EDGAR = { id: 'n_edgar', name: 'Edgar Editor' };
const COMMAND = { id: null, name: 'galley' };
const START = Date.UTC(2026, 10, 15, 10);

/** Versions with increasing numbers, each a few minutes after the previous one, in the API's order. */
function buildVersions(...saves: readonly (Partial<VersionEntryBody> & { readonly after?: number })[]) {
  let minutes = 0;
  return saves
    .map(({ after = 1, ...parts }, index): VersionEntryBody => {
      minutes += after;
      return {
        number: index + 1,
        name: 'On ink',
        saved_at: `${new Date(START + minutes * 60_000).toISOString().slice(0, 19)}+00:00`,
        saved_by: OLIVE,
        is_newest: index === saves.length - 1,
        is_published: false,
        was_published: false,
        restored_from: null,
        ...parts,
      };
    })
    .toReversed();
}

function listNumbers(versions: readonly VersionEntryBody[]): readonly (readonly number[])[] {
  return foldVersions(versions).map((sitting) => sitting.map(({ number }) => number));
}

test.each([
  ['groups saves made by one person', buildVersions({}, {}, {}), [[3, 2, 1]]],
  ['groups saves with a pause of fifteen minutes between them', buildVersions({}, { after: 15 }), [[2, 1]]],
  ['separates saves with a longer pause between them', buildVersions({}, { after: 16 }, {}), [[3, 2], [1]]],
  [
    'considers the pause between two saves, not the total duration',
    buildVersions({}, { after: 12 }, { after: 12 }, { after: 12 }),
    [[4, 3, 2, 1]],
  ],
  ['separates saves made by different people', buildVersions({}, { saved_by: EDGAR }, {}), [[3], [2], [1]]],
  [
    'treats a renamed user as the same person',
    buildVersions({}, { saved_by: { ...OLIVE, name: 'Olive Other' } }),
    [[2, 1]],
  ],
  [
    'keeps the published version separate',
    buildVersions({}, {}, { is_published: true, was_published: true }, {}, {}),
    [[5, 4], [3], [2, 1]],
  ],
  ['keeps a previously published version separate', buildVersions({}, { was_published: true }, {}), [[3], [2], [1]]],
  ['keeps a restored version separate', buildVersions({}, {}, { restored_from: 1 }, {}), [[4], [3], [2, 1]]],
  ['does not group imports', buildVersions({ saved_by: null }, { saved_by: null }), [[2], [1]]],
  ['does not group saves made by commands', buildVersions({ saved_by: COMMAND }, { saved_by: COMMAND }), [[2], [1]]],
  ['returns an empty list if there are no versions', [], []],
] as const)('%s', (_name, versions, expected) => {
  expect(listNumbers(versions)).toEqual(expected);
});

test('extends a session that continues on the next page, and leaves newer sessions unchanged', () => {
  const versions = buildVersions({}, {}, {}, { was_published: true }, {}, {});
  expect(listNumbers(versions.slice(0, 4))).toEqual([[6, 5], [4], [3]]);
  expect(listNumbers(versions)).toEqual([[6, 5], [4], [3, 2, 1]]);
});

test('puts every version into exactly one session, and finds the first version of each', () => {
  const versions = buildVersions({}, {}, { after: 60 }, { saved_by: EDGAR }, {}, {});
  expect(listNumbers(versions).flat()).toEqual(versions.map(({ number }) => number));
  expect(foldVersions(versions).map(findFirstNumber)).toEqual([5, 4, 3, 1]);
});

import type { VersionEntryBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { findFirstNumber, foldVersions } from './fold-versions.ts';

const OLIVE = { id: 'n_olive', name: 'Olive Owner' };
const EDGAR = { id: 'n_edgar', name: 'Edgar Editor' };
const COMMAND = { id: null, name: 'galley' };
const START = Date.UTC(2026, 10, 15, 10);

/** Versions with rising numbers, each some minutes after the one before, as the API lists them. */
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
  ['saves of one person are one sitting', buildVersions({}, {}, {}), [[3, 2, 1]]],
  ['a pause of fifteen minutes does not end it', buildVersions({}, { after: 15 }), [[2, 1]]],
  ['a longer pause does', buildVersions({}, { after: 16 }, {}), [[3, 2], [1]]],
  [
    'what counts is the pause between neighbours, not the whole',
    buildVersions({}, { after: 12 }, { after: 12 }, { after: 12 }),
    [[4, 3, 2, 1]],
  ],
  ['another person begins another', buildVersions({}, { saved_by: EDGAR }, {}), [[3], [2], [1]]],
  [
    'somebody who was renamed in the middle is the same person',
    buildVersions({}, { saved_by: { ...OLIVE, name: 'Olive Other' } }),
    [[2, 1]],
  ],
  [
    'what readers see stands by itself',
    buildVersions({}, {}, { is_published: true, was_published: true }, {}, {}),
    [[5, 4], [3], [2, 1]],
  ],
  ['so does what they saw once', buildVersions({}, { was_published: true }, {}), [[3], [2], [1]]],
  ['so does what was restored', buildVersions({}, {}, { restored_from: 1 }, {}), [[4], [3], [2, 1]]],
  ['imports are nobody’s sitting', buildVersions({ saved_by: null }, { saved_by: null }), [[2], [1]]],
  ['nor are commands', buildVersions({ saved_by: COMMAND }, { saved_by: COMMAND }), [[2], [1]]],
  ['no versions are no sittings', [], []],
] as const)('%s', (_name, versions, expected) => {
  expect(listNumbers(versions)).toEqual(expected);
});

test('a sitting that goes on on the next page grows, and those above it stay', () => {
  const versions = buildVersions({}, {}, {}, { was_published: true }, {}, {});
  expect(listNumbers(versions.slice(0, 4))).toEqual([[6, 5], [4], [3]]);
  expect(listNumbers(versions)).toEqual([[6, 5], [4], [3, 2, 1]]);
});

test('every version is in one sitting, and the first of a sitting is its oldest', () => {
  const versions = buildVersions({}, {}, { after: 60 }, { saved_by: EDGAR }, {}, {});
  expect(listNumbers(versions).flat()).toEqual(versions.map(({ number }) => number));
  expect(foldVersions(versions).map(findFirstNumber)).toEqual([5, 4, 3, 1]);
});

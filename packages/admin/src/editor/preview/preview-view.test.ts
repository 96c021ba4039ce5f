import { expect, test } from 'vitest';
import { parsePreviewView } from './preview-view.ts';

const DEFAULT = { isOpen: false, width: null, device: 'fit', addresses: {} };

test.each([
  [null],
  [''],
  ['{'],
  ['[]'],
  ['7'],
  ['{}'],
  ['{"isOpen":"yes","width":-3,"device":"watch","addresses":[]}'],
])('uses the defaults for %j', (text) => {
  expect(parsePreviewView(text)).toEqual(DEFAULT);
});

test('reads the stored values, and ignores unknown and invalid ones', () => {
  const stored = { isOpen: true, width: 512, device: 'phone', addresses: { s_1: 'pa_1', s_2: 3 }, more: 1 };
  expect(parsePreviewView(JSON.stringify(stored))).toEqual({
    isOpen: true,
    width: 512,
    device: 'phone',
    addresses: { s_1: 'pa_1' },
  });
});

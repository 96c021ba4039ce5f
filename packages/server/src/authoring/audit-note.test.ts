import { expect, test } from 'vitest';
import { describeChange } from './audit-note.ts';

test('lists only the properties that differ', () => {
  const before = { name: 'A', sites: ['s_one'], limit: null, preview: false };
  const after = { name: 'A', sites: ['s_one', 's_two'], limit: 0, preview: false };
  expect(describeChange(before, after)).toEqual({
    before: { sites: ['s_one'], limit: null },
    after: { sites: ['s_one', 's_two'], limit: 0 },
  });
});

test('truncates long text values and adds their original length', () => {
  const change = describeChange({ url: '/a' }, { url: `data:,${'x'.repeat(100_000)}` });
  expect(change.before).toEqual({ url: '/a' });
  expect(change.after.url).toMatch(/^data:,x{494}… \(100006 characters\)$/);
});

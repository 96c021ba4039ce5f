import { expect, test } from 'vitest';
import { decodeFilter, encodeFilter, parseAuditSearch } from './audit-search.ts';

test('reads one filter and a day, and ignores everything else', () => {
  expect(parseAuditSearch({ actor: 'u_1', site: 's_1', day: '2026-11-15', page: 2 })).toEqual({
    actor: 'u_1',
    day: '2026-11-15',
  });
  expect(parseAuditSearch({ day: '2026-13-45', action: '' })).toEqual({});
  expect(parseAuditSearch({ site: 42 })).toEqual({ site: '42' });
});

test.each([{ actor: 'u_1' }, { site: 's:1' }, { action: 'content.publish' }, {}])(
  'restores %j after encoding and decoding',
  (search) => {
    expect(decodeFilter(encodeFilter(search))).toEqual(search);
  },
);

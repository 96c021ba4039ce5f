import type { ApiKeyBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { buildKeyBody, buildKeyChange, readKeyValues } from './key-values.ts';

const KEY: ApiKeyBody = {
  id: 'k_web',
  name: 'Website',
  prefix: 'gly_abcdef',
  sites: ['s_press'],
  all_sites: false,
  preview: true,
  expires_at: '2020-07-01T10:30:15+00:00',
  rate_limit: 0,
  last_used_at: null,
  created_at: '2020-01-01T00:00:00+00:00',
  revoked_at: null,
};

test('converts a key to form values and back unchanged', () => {
  const { name, sites, preview, expires_at, rate_limit } = KEY;
  expect(buildKeyBody(readKeyValues(KEY))).toEqual({ name, sites, preview, expires_at, rate_limit });
});

test('sends no site list for a key that can read all sites', () => {
  const body = buildKeyBody(readKeyValues({ ...KEY, all_sites: true, sites: [], rate_limit: null, expires_at: null }));
  expect(body).toEqual({ name: 'Website', all_sites: true, preview: true, expires_at: null, rate_limit: null });
});

test('sends an expiry that was changed or cleared, and omits an unchanged one', () => {
  const values = readKeyValues(KEY);
  expect(buildKeyChange({ ...values, name: 'Shop' }, KEY)).not.toHaveProperty('expires_at');
  expect(buildKeyChange({ ...values, expires_at: null }, KEY)).toMatchObject({ expires_at: null });
  const later = buildKeyChange({ ...values, expires_at: '2040-01-01 00:00:00' }, KEY);
  expect(later).toMatchObject({ expires_at: expect.stringMatching(/^(2039-12-31|2040-01-01)T/) });
});

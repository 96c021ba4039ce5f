import { buildUserId, MAUD } from '../furnishing/people.ts';
import type { Screen } from './screen.ts';

export const ACCOUNT_SCREENS: readonly Screen[] = [
  {
    name: 'audit-log',
    path: '/account/audit',
    prepare: async (page) => {
      await page.getByRole('main').getByText('The grammar of folding').click();
    },
  },
  { name: 'keys', path: '/account/keys' },
  {
    name: 'key',
    path: '/account/keys',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Mobile app' }).click();
      await page.getByRole('heading', { name: 'Permissions' }).waitFor();
    },
  },
  {
    name: 'revoke-key',
    path: '/account/keys',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Revoke Mobile app' }).click();
      await page.getByRole('dialog', { name: 'Revoke “Mobile app”?' }).waitFor();
    },
  },
  { name: 'new-key', path: '/account/keys/new' },
  { name: 'tokens', path: '/account/tokens' },
  { name: 'new-token', path: '/account/tokens/new' },
  { name: 'users', path: '/account/users' },
  { name: 'user', path: `/account/users/${buildUserId(MAUD)}` },
  { name: 'new-user', path: '/account/users/new' },
  { name: 'organisation', path: '/account/organisation' },
  { name: 'change-password', path: '/account/password' },
];

/** Visited last, because they create records that would appear on the other screens. */
export const CREATING_SCREENS: readonly Screen[] = [
  {
    name: 'created-key',
    path: '/account/keys/new',
    prepare: async (page) => {
      await page.getByLabel('Name').fill('Reading list');
      await page.getByRole('radio', { name: 'All sites' }).check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    },
  },
  {
    name: 'created-token',
    path: '/account/tokens/new',
    prepare: async (page) => {
      await page.getByLabel('Name').fill('Letters archive');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByRole('heading', { name: 'Your new token' }).waitFor();
    },
  },
  {
    name: 'created-webhook',
    path: '/sites/s_demo/webhooks/new',
    prepare: async (page) => {
      await page.getByLabel('Name').first().fill('Print edition');
      await page.getByLabel('URL', { exact: true }).fill('https://print.magazine.example/hooks/galley');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByRole('heading', { name: 'Your new webhook' }).waitFor();
    },
  },
];

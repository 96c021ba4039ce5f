// Every screen that has its picture in docs/screenshots, at an address of the demo site.

import type { Page } from 'playwright-core';

export interface Screen {
  /** The name of its files. */
  readonly name: string;
  /** Below /admin. */
  readonly path: string;
  /** Before anybody is signed in. */
  readonly isPublic?: boolean;
  /** Steps to take there first. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', isPublic: true },
  { name: 'sites', path: '/sites' },
  { name: 'new-site', path: '/sites/new' },
  { name: 'site-settings', path: '/sites/s_demo/settings' },
  { name: 'keys', path: '/account/keys' },
  { name: 'new-key', path: '/account/keys/new' },
  {
    name: 'created-key',
    path: '/account/keys/new',
    prepare: async (page) => {
      await page.getByLabel('Name').fill('Web site');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    },
  },
  { name: 'tokens', path: '/account/tokens' },
  { name: 'new-token', path: '/account/tokens/new' },
  { name: 'users', path: '/account/users' },
  { name: 'new-user', path: '/account/users/new' },
  {
    name: 'audit-log',
    path: '/account/audit',
    prepare: async (page) => {
      await page.getByRole('main').getByRole('listitem').first().click();
    },
  },
  { name: 'authors', path: '/sites/s_demo/authors' },
  { name: 'new-author', path: '/sites/s_demo/authors/new' },
  { name: 'assets', path: '/sites/s_demo/assets' },
  { name: 'new-asset', path: '/sites/s_demo/assets/new' },
  { name: 'change-password', path: '/account/password' },
];

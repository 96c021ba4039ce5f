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
  {
    name: 'editor',
    path: '/sites/s_demo/content/c_paper_weight',
    prepare: (page) => page.getByRole('group', { name: 'Cover' }).locator('img').waitFor(),
  },
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
  { name: 'content-languages', path: '/sites/s_demo/content/c_paper_weight/languages' },
  { name: 'content-seo', path: '/sites/s_demo/content/c_paper_weight/seo' },
  {
    name: 'content-history',
    path: '/sites/s_demo/content/c_lowercase_g/history',
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
    },
  },
  { name: 'content-links', path: '/sites/s_demo/content/c_paper_weight/links' },
  { name: 'content-api', path: '/sites/s_demo/content/c_lowercase_g/api' },
  {
    name: 'content-schedule',
    path: '/sites/s_demo/content/c_lowercase_g/history',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Schedule' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'change-password', path: '/account/password' },
];

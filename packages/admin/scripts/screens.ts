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
  { name: 'dashboard', path: '/sites/s_demo' },
  {
    name: 'content',
    path: '/sites/s_demo/content',
    prepare: (page) => page.locator('[data-row-link]').first().waitFor(),
  },
  {
    name: 'content-selection',
    path: '/sites/s_demo/content?status=draft',
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('dialog').getByText('Readers will see').waitFor();
    },
  },
  {
    name: 'new-content',
    path: '/sites/s_demo/content',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New content' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('A walk along the saltmarsh');
    },
  },
  { name: 'site-settings', path: '/sites/s_demo/settings' },
  {
    name: 'editor',
    path: '/sites/s_demo/content/c_paper_weight',
    prepare: (page) => page.getByRole('group', { name: 'Cover' }).locator('img').waitFor(),
  },
  { name: 'content-types', path: '/sites/s_demo/types' },
  { name: 'new-content-type', path: '/sites/s_demo/types/new-type' },
  {
    name: 'content-type',
    path: '/sites/s_demo/types/article',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Body body/ }).click();
      await page.getByRole('button', { name: 'Save field' }).waitFor();
    },
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
  {
    name: 'key',
    path: '/account/keys',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click();
      await page.getByRole('heading', { name: 'What it may do' }).waitFor();
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

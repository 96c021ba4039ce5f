import type { Screen } from './screen.ts';

const SITE = '/sites/s_demo';

export const SITE_SCREENS: readonly Screen[] = [
  { name: 'sites', path: '/sites' },
  { name: 'new-site', path: '/sites/new' },
  { name: 'dashboard', path: SITE },
  { name: 'empty-site', path: '/sites/s_fair' },
  {
    name: 'navigation',
    path: SITE,
    prepare: async (page) => {
      const burger = page.getByRole('button', { name: 'Open navigation' });
      if (await burger.isVisible()) await burger.click();
      await page.getByRole('button', { name: 'Elspeth Garrow' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  },
  {
    name: 'content',
    path: `${SITE}/content`,
    prepare: (page) => page.locator('[data-row-link]').first().waitFor(),
  },
  {
    name: 'content-selection',
    path: `${SITE}/content?status=draft`,
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all shown' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('dialog').getByText('Readers will see').waitFor();
    },
  },
  {
    name: 'new-content',
    path: `${SITE}/content`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New content' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('A walk along the saltmarsh');
    },
  },
  {
    name: 'shortcuts',
    path: `${SITE}/content`,
    prepare: async (page) => {
      await page.locator('[data-row-link]').first().waitFor();
      await page.keyboard.press('Shift+?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  { name: 'content-types', path: `${SITE}/types` },
  { name: 'new-content-type', path: `${SITE}/types/new-type` },
  {
    name: 'content-type',
    path: `${SITE}/types/article`,
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Body body/ }).click();
      await page.getByRole('button', { name: 'Save field' }).waitFor();
    },
  },
  {
    name: 'delete-field',
    path: `${SITE}/types/article`,
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Key points/ }).click();
      await page.getByRole('button', { name: 'Delete field' }).click();
      await page.getByRole('dialog', { name: 'Delete “Key points”?' }).waitFor();
    },
  },
  { name: 'authors', path: `${SITE}/authors` },
  { name: 'author', path: `${SITE}/authors/u_hana` },
  {
    name: 'delete-author',
    path: `${SITE}/authors/u_hana`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Delete author' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete author' }).click();
      await dialog.getByLabel(/^Type /).waitFor();
    },
  },
  { name: 'new-author', path: `${SITE}/authors/new` },
  { name: 'assets', path: `${SITE}/assets` },
  { name: 'asset-list', path: `${SITE}/assets?view=list` },
  { name: 'asset-settings', path: `${SITE}/assets/settings` },
  { name: 'preview-settings', path: `${SITE}/preview` },
  { name: 'asset', path: `${SITE}/assets/a_harbour` },
  { name: 'new-asset', path: `${SITE}/assets/new` },
  { name: 'webhooks', path: `${SITE}/webhooks` },
  { name: 'switched-off-webhook', path: '/sites/s_fair/webhooks' },
  {
    name: 'webhook',
    path: `${SITE}/webhooks`,
    prepare: async (page) => {
      await page.getByRole('rowheader').getByRole('link', { name: 'Search index' }).click();
      await page.getByRole('table', { name: 'Calls' }).waitFor();
    },
  },
  {
    name: 'webhook-call',
    path: `${SITE}/webhooks`,
    prepare: async (page) => {
      await page.getByRole('rowheader').getByRole('link', { name: 'Search index' }).click();
      await page.getByRole('link', { name: 'Published: Pages for the fingertip' }).first().click();
      await page.getByRole('heading', { name: 'Response' }).waitFor();
    },
  },
  {
    name: 'webhook-settings',
    path: `${SITE}/webhooks`,
    prepare: async (page) => {
      await page.getByRole('rowheader').getByRole('link', { name: 'Search index' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Secret' }).waitFor();
    },
  },
  { name: 'new-webhook', path: `${SITE}/webhooks/new` },
  { name: 'site-settings', path: `${SITE}/settings` },
  {
    name: 'delete-site',
    path: `${SITE}/settings`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Delete site' }).click();
      await page
        .getByRole('dialog')
        .getByLabel(/^Type /)
        .waitFor();
    },
  },
  { name: 'not-found', path: `${SITE}/nowhere` },
];

import type { Screen } from './screen.ts';

const CONTENT = '/sites/s_demo/content';
const CONTESTED = 'c_braille';

export const EDITOR_SCREENS: readonly Screen[] = [
  {
    name: 'editor',
    path: `${CONTENT}/c_paper_weight`,
    prepare: (page) => page.getByRole('group', { name: 'Cover' }).locator('img').waitFor(),
  },
  {
    name: 'editor-fields',
    path: `${CONTENT}/c_first_stitch`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add block to Sections' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'markdown-preview',
    path: `${CONTENT}/c_paper_weight`,
    prepare: async (page) => {
      await page.getByRole('radiogroup', { name: 'View for Body' }).getByText('Preview').click();
      await page.getByRole('region', { name: 'Preview of Body' }).getByRole('heading').first().waitFor();
    },
  },
  {
    name: 'choose-links',
    path: `${CONTENT}/c_paper_weight`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add links to Related' }).click();
      const choices = page.getByRole('dialog').getByRole('checkbox');
      await choices.nth(1).check();
    },
  },
  {
    name: 'choose-assets',
    path: `${CONTENT}/c_paper_weight`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add assets to Cover' }).click();
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'content-preview',
    path: `${CONTENT}/c_paper_weight/preview`,
    prepare: (page) => page.getByRole('heading', { name: 'No preview address yet' }).waitFor(),
  },
  { name: 'content-languages', path: `${CONTENT}/c_paper_weight/languages` },
  { name: 'content-seo', path: `${CONTENT}/c_paper_weight/seo` },
  {
    name: 'content-history',
    path: `${CONTENT}/c_lowercase_g/history?version=2`,
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
    },
  },
  { name: 'content-links', path: `${CONTENT}/c_paper_weight/links` },
  { name: 'content-api', path: `${CONTENT}/c_lowercase_g/api` },
  {
    name: 'content-schedule',
    path: `${CONTENT}/c_folding/history`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Schedule' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'unpublish',
    path: `${CONTENT}/c_paper_weight/history`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Unpublish' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Unpublish' }).click();
      await dialog.getByRole('alert').waitFor();
    },
  },
  {
    name: 'conflict',
    path: `${CONTENT}/${CONTESTED}`,
    arrange: ({ rename }) => rename(CONTESTED, 'Pages for fingertips'),
    prepare: async (page, { rename }) => {
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.waitFor();
      await rename(CONTESTED, 'Reading by hand');
      await name.fill('What the fingertip reads');
      await page.getByRole('region', { name: 'Maud Lescure changed the same parts as you' }).waitFor();
    },
  },
];

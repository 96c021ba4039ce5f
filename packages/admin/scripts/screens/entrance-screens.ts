import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

export const ENTRANCE_SCREENS: readonly Screen[] = [
  { name: 'set-up-link', path: '/set-up', stage: 'nobody yet' },
  { name: 'set-up', path: '/set-up#token=gs_0123456789', stage: 'nobody yet', prepare: waitForForm },
  { name: 'sign-in', path: '/sign-in', stage: 'nobody signed in' },
];

async function waitForForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create owner' }).waitFor();
}

// Every screen of the panel: each has its pictures in docs/screenshots, and is tested in both themes and on a phone. A test
// holds that every route is among them. They are visited in this order, each from a page of its own kind.

import { ACCOUNT_SCREENS, CREATING_SCREENS } from './screens/account-screens.ts';
import { EDITOR_SCREENS } from './screens/editor-screens.ts';
import { ENTRANCE_SCREENS } from './screens/entrance-screens.ts';
import type { Screen } from './screens/screen.ts';
import { SITE_SCREENS } from './screens/site-screens.ts';

export const SCREENS: readonly Screen[] = [
  ...ENTRANCE_SCREENS,
  ...ACCOUNT_SCREENS,
  ...SITE_SCREENS,
  ...EDITOR_SCREENS,
  ...CREATING_SCREENS,
];

// Every screen of the panel. `npm run screenshots` takes a screenshot of each, and a test checks each in both themes and on a phone.
// Another test checks that every route is listed. Screens are visited in this order.

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

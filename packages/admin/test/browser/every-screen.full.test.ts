// Checks every screen in the panel: axe-core finds no violations on a desktop (nor in the colours of the dark theme) or on the narrowest phone, and nothing is
// too wide for that phone. Also checks that the screens cover every route.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRealClock } from '../../scripts/furnishing/clock.ts';
import { furnishSite } from '../../scripts/furnishing/furnish-site.ts';
import { ELSPETH } from '../../scripts/furnishing/people.ts';
import type { Colleague, Screen } from '../../scripts/screens/screen.ts';
import { SIZES, signIn, visitScreen } from '../../scripts/screens/visit-screen.ts';
import { SCREENS } from '../../scripts/screens.ts';
import { findAxeFaults, type Panel, startPanel } from './panel.ts';

const HAS_NO_FAULTS = '$name has no accessibility violations, and fits on a phone';
const visited = new Set<string>();

let panel: Panel;
let wide: Page;
let narrow: Page;
let colleague: Colleague = { rename: () => Promise.reject(new Error('There are no users yet')) };

beforeAll(async () => {
  panel = await startPanel();
  wide = await panel.open('/set-up', { viewport: SIZES.wide });
  narrow = await panel.open('/set-up', { viewport: SIZES.narrow });
});

afterAll(() => panel.close());

describe('before set-up', () => {
  test.each(listScreens('nobody yet'))(HAS_NO_FAULTS, look);
});

describe('before sign-in', () => {
  beforeAll(async () => {
    colleague = await furnishSite(panel.service, openRealClock());
  });

  test.each(listScreens('nobody signed in'))(HAS_NO_FAULTS, look);
});

describe('after sign-in', () => {
  beforeAll(async () => {
    await signIn([wide, narrow], panel.service.url, ELSPETH);
  });

  test.each(listScreens(undefined))(HAS_NO_FAULTS, look);
});

test('covers every route in the panel', async () => {
  const routes: string[] = await wide.evaluate(`Object.values(__TSR_ROUTER__.routesById)
    .filter(({ children, options }) => children === undefined && options.component !== undefined)
    .map(({ id }) => id)`);
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((id) => !visited.has(id))).toEqual([]);
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});

function listScreens(stage: Screen['stage']): readonly Screen[] {
  return SCREENS.filter((screen) => screen.stage === stage);
}

async function look(screen: Screen): Promise<void> {
  await visitScreen(wide, panel.service.url, screen, colleague);
  visited.add(await wide.evaluate('__TSR_ROUTER__.state.matches.at(-1).routeId'));
  const faults = findAxeFaults(wide, ['light', 'dark colours']);
  await visitScreen(narrow, panel.service.url, screen, colleague);
  expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(SIZES.narrow.width);
  // Colours do not depend on the width.
  expect(await findAxeFaults(narrow, ['light layout'])).toEqual([]);
  expect(await faults).toEqual([]);
}

import type { Screen } from './screen.ts';

export const ENTRANCE_SCREENS: readonly Screen[] = [
  { name: 'set-up', path: '/set-up', stage: 'nobody yet' },
  { name: 'sign-in', path: '/sign-in', stage: 'nobody signed in' },
];

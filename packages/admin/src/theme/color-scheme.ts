// Light, dark, or as the system has it. The choice is kept in this browser; public/color-scheme.js reads it before the first
// paint.

import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core';

export const COLOR_SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'galley-color-scheme' });

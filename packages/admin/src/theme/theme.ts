// The theme, inspired by paper and ink: warm greys, one deep green, small radii and a compact scale. In both colour schemes, all
// text has at least the contrast that WCAG 2.2 AA requires.

import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorsTuple,
} from '@mantine/core';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

const pine: MantineColorsTuple = [
  '#ecf6f3',
  '#d7e9e4',
  '#add3c9',
  '#80bcae',
  '#5caa98',
  '#3f9482',
  '#26796a',
  '#176456',
  '#0f5449',
  '#07443b',
];

const gray: MantineColorsTuple = [
  '#faf9f6',
  '#f3f1ec',
  '#e9e6df',
  '#dcd8cf',
  '#c6c1b6',
  '#928c80',
  '#68635a',
  '#4c4842',
  '#35322d',
  '#211f1c',
];

const dark: MantineColorsTuple = [
  '#e6e3dd',
  '#c9c5bd',
  '#a39e94',
  '#6e6a62',
  '#45423d',
  '#383531',
  '#2b2926',
  '#201f1d',
  '#191816',
  '#121110',
];

const red: MantineColorsTuple = [
  '#fdf1ef',
  '#fbdedb',
  '#f5b9b3',
  '#f0968e',
  '#e8766c',
  '#d9503f',
  '#c5352b',
  '#b42318',
  '#961b12',
  '#74140d',
];

const yellow: MantineColorsTuple = [
  '#fdf8e7',
  '#f9edc4',
  '#f0dc93',
  '#e5c75d',
  '#d9b132',
  '#c0951a',
  '#9c7610',
  '#7a5b0a',
  '#634a08',
  '#4c3806',
];

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, gray, dark, red, yellow },
  black: '#211f1c',
  white: '#ffffff',
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2.25rem' },
  shadows: { sm: '0 1px 2px rgb(33 31 28 / 8%)', md: '0 6px 24px rgb(33 31 28 / 12%)' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 550, miw: 'max-content' } },
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    InputClearButton: { defaultProps: { 'aria-label': SHELL_TEXTS.clear } },
    Modal: { defaultProps: { centered: true, radius: 'md', transitionProps: { duration: 120 } } },
    // Dialogs are outside the page's sections, so a header element in a dialog would count as a second banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Menu: {
      // The placeholder is focusable, but in a menu, only the items should be.
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 80 },
        // Above toasts, whose z-index is 400.
        zIndex: 450,
        withInitialFocusPlaceholder: false,
      },
    },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Notification: { defaultProps: { withBorder: true, closeButtonProps: { 'aria-label': SHELL_TEXTS.close } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#68635a',
    '--mantine-color-placeholder': '#736d63',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#0f5449',
    '--mantine-color-red-light-color': '#961b12',
    '--galley-paper': '#faf9f6',
    '--galley-rail': '#f3f1ec',
    '--galley-line': '#e4e0d8',
    '--galley-hover': '#f0ede6',
    '--galley-chosen': '#e2ece8',
    '--galley-chosen-text': '#0f5449',
    '--galley-removed': '#fbdedb',
    '--galley-removed-text': '#74140d',
  },
  dark: {
    '--mantine-color-body': '#201f1d',
    '--mantine-color-dimmed': '#a9a499',
    '--mantine-color-placeholder': '#989287',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': '#80bcae',
    '--mantine-color-red-light': '#3b1f1c',
    '--mantine-color-red-light-hover': '#472622',
    '--mantine-color-red-light-color': '#f5b9b3',
    '--mantine-color-yellow-light': '#372d16',
    '--mantine-color-yellow-light-color': '#f0dc93',
    '--mantine-color-pine-light': '#213a34',
    '--mantine-color-pine-light-color': '#add3c9',
    '--galley-paper': '#191816',
    '--galley-rail': '#1d1c1a',
    '--galley-line': '#35322e',
    '--galley-hover': '#282623',
    '--galley-chosen': '#213a34',
    '--galley-chosen-text': '#add3c9',
    '--galley-removed': '#4a211d',
    '--galley-removed-text': '#ffc9c4',
  },
});

/** `auto` follows the system. */
export const COLOR_SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Stores the choice in this browser; public/color-scheme.js reads it before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'galley-color-scheme' });

import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // The darkest shades in use give white text a contrast of at least 4.5.
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // Lists of choices are scrolled with the arrow keys of their input. The Tab key leaves them.
    ScrollArea: { defaultProps: { viewportProps: { tabIndex: -1 } } },
    ScrollAreaAutosize: { defaultProps: { viewportProps: { tabIndex: -1 } } },
  },
  // Two weights: for normal and for emphasised text.
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.1rem' } } },
});

/** Mantine's own dimmed texts, placeholders and outlines have a contrast below 4.5. */
export const resolveVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-placeholder': theme.colors.gray[7],
    '--mantine-color-error': theme.colors.red[9],
    '--mantine-color-anchor': theme.colors.indigo[8],
    '--mantine-color-green-outline': '#237032',
    '--mantine-color-orange-outline': '#b33c00',
    '--mantine-color-red-outline': theme.colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': theme.colors.dark[1],
    '--mantine-color-placeholder': theme.colors.dark[1],
    '--mantine-color-error': theme.colors.red[4],
    '--mantine-color-anchor': theme.colors.indigo[3],
  },
});

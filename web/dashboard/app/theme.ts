import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** One quiet colour on grey. The shades reach a contrast of 4.5 with the text on them and next to them. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 9 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.2rem' } } },
  respectReducedMotion: true,
  // Without `extend` of the components: it would bring their code to pages that have none of them.
  components: {
    // Otherwise a menu has a child that is not an item, which ARIA forbids.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { styles: { title: { fontWeight: 650, lineHeight: 1.3, overflowWrap: 'anywhere', minWidth: 0 } } },
    // Names are as long as people make them, also without spaces.
    Breadcrumbs: {
      styles: {
        root: { flexWrap: 'wrap', rowGap: 2 },
        breadcrumb: { whiteSpace: 'normal', overflowWrap: 'anywhere', minWidth: 0 },
      },
    },
    Notification: { styles: { body: { overflowWrap: 'anywhere' } } },
    // A badge shows the end of a long text as an ellipsis, and must not be wider than its place.
    Badge: { styles: { root: { maxWidth: '100%' } } },
  },
})

const HOVERED = {
  '--mantine-primary-color-filled-hover': '#095c6b',
  '--mantine-color-cyan-filled-hover': '#095c6b',
}

/** Mantine's own dimmed text, error text, orange badges and hovered buttons are too pale for WCAG 1.4.3. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-orange-9': '#c2410c' },
  light: {
    ...HOVERED,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--page-background': 'var(--mantine-color-gray-0)',
    '--panel-background': 'var(--mantine-color-white)',
  },
  dark: {
    ...HOVERED,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--page-background': 'var(--mantine-color-dark-8)',
    '--panel-background': 'var(--mantine-color-dark-7)',
  },
})

import { useComputedColorScheme } from '@mantine/core'

/** The colours of a chart, which style sheets do not reach. */
export type PlotColours = { text: string; grid: string; first: string; area: string; second: string }

const LIGHT: PlotColours = { text: '#495057', grid: '#e9ecef', first: '#0b7285', area: '#0b728522', second: '#c2255c' }
const DARK: PlotColours = { text: '#c1c2c5', grid: '#373a40', first: '#3bc9db', area: '#3bc9db22', second: '#f783ac' }

/** Returns the colours of the current colour scheme. */
export function usePlotColours(): PlotColours {
  return useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark' ? DARK : LIGHT
}

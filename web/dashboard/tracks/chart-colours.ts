import { useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

/** The colours of a profile's bands. */
export type ChartColours = {
  text: string
  grid: string
  halo: string
  elevation: string
  elevationArea: string
  rate: string
  rateArea: string
  highlight: string
}

const LIGHT: ChartColours = {
  text: '#495057',
  grid: '#e9ecef',
  halo: '#ffffff',
  elevation: '#5f6b3c',
  elevationArea: '#8f9f5f40',
  rate: '#0b7285',
  rateArea: '#0b72851f',
  highlight: '#f59f0033',
}

const DARK: ChartColours = {
  text: '#c1c2c5',
  grid: '#373a40',
  halo: '#1a1b1e',
  elevation: '#b7c687',
  elevationArea: '#8f9f5f40',
  rate: '#3bc9db',
  rateArea: '#3bc9db26',
  highlight: '#fab0053d',
}

/** A canvas does not take part in forced colours by itself; it understands the names of the system's colours. */
const FORCED: ChartColours = {
  text: 'CanvasText',
  grid: 'transparent',
  halo: 'Canvas',
  elevation: 'CanvasText',
  elevationArea: 'transparent',
  rate: 'LinkText',
  rateArea: 'transparent',
  highlight: 'GrayText',
}

/** Returns the colours of charts, which follow the colour scheme and forced colours. */
export function useChartColours(): ChartColours {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const isForced = useMediaQuery('(forced-colors: active)', false, { getInitialValueInEffect: false })
  if (isForced) return FORCED
  return dark ? DARK : LIGHT
}

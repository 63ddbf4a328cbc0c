import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RAMP } from '../../map/colour-ramp.ts'
import { colourRange, STEADY } from '../../map/coloured-line.ts'
import { isPaced, useFormat } from '../i18n/format.ts'
import type { DrawnSeries } from './drawn-series.ts'
import { type ColouredBy, LEAST_SPREAD, valuesOf } from './track-layers.ts'

type ColourLegendProps = { series: DrawnSeries; colouredBy: ColouredBy; activityType: string }

/** The legend for the colours of a line. A line of one colour has one value. */
export function ColourLegend({ series, colouredBy, activityType }: ColourLegendProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const values = valuesOf(series, colouredBy)
  const said = {
    rate: (mps: number) => format.rate(activityType, mps),
    elevation: format.meters,
    gradient: format.gradient,
  }[colouredBy]
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  const range = colourRange(values, LEAST_SPREAD[colouredBy])
  if (range === undefined) {
    const middle = known.sort((a, b) => a - b)[known.length >> 1]
    return (
      <Group gap="xs" wrap="nowrap" className="figures">
        <Swatch background={STEADY} />
        <Text size="sm">{t('track.steady', { value: said(middle) })}</Text>
      </Group>
    )
  }
  // Values beyond the ends of the ramp have the colour of the end. A pace falls where the speed rises.
  const isBelow = known.some((value) => value < range.from)
  const isAbove = known.some((value) => value > range.to)
  const signs = colouredBy === 'rate' && isPaced(activityType) ? ['≥ ', '≤ '] : ['≤ ', '≥ ']
  return (
    <Group gap="xs" wrap="nowrap" className="figures">
      <Text size="sm">
        {isBelow && signs[0]}
        {said(range.from)}
      </Text>
      <Swatch background={`linear-gradient(to right, ${RAMP.join(', ')})`} />
      <Text size="sm">
        {isAbove && signs[1]}
        {said(range.to)}
      </Text>
    </Group>
  )
}

function Swatch({ background }: { background: string }) {
  return (
    <div
      aria-hidden
      style={{ width: 'clamp(48px, 14vw, 140px)', height: 8, borderRadius: 4, background, forcedColorAdjust: 'none' }}
    />
  )
}

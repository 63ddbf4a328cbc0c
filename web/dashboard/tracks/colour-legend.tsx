import { Group, Text } from '@mantine/core'
import { RAMP } from '../../map/colour-ramp.ts'
import { colourRange } from '../../map/coloured-line.ts'
import type { TrackSeries } from '../api/tracks.ts'
import { useFormat } from '../i18n/format.ts'
import { type ColouredBy, valuesOf } from './track-layers.ts'

/** The legend for the colours of a line. */
export function ColourLegend({ series, colouredBy }: { series: TrackSeries; colouredBy: ColouredBy }) {
  const format = useFormat()
  const values = valuesOf(series, colouredBy)
  const range = colourRange(values)
  if (range === undefined) return null
  // Values beyond the ends of the ramp have the colour of the end.
  const isBelow = values.some((value) => value !== null && value < range.from)
  const isAbove = values.some((value) => value !== null && value > range.to)
  const said = (value: number) => (colouredBy === 'speed' ? format.speed(value) : format.meters(value))
  return (
    <Group gap="xs" wrap="nowrap" className="figures">
      <Text size="sm">
        {isBelow && '≤ '}
        {said(range.from)}
      </Text>
      <div
        aria-hidden
        style={{
          width: 140,
          height: 8,
          borderRadius: 4,
          background: `linear-gradient(to right, ${RAMP.join(', ')})`,
        }}
      />
      <Text size="sm">
        {isAbove && '≥ '}
        {said(range.to)}
      </Text>
    </Group>
  )
}

import { Group, Text } from '@mantine/core'
import { RAMP } from '../../map/colour-ramp.ts'
import { colourRange } from '../../map/coloured-line.ts'
import type { TrackSeries } from '../api/tracks.ts'
import { useFormat } from '../i18n/format.ts'
import { type ColouredBy, valuesOf } from './track-layers.ts'

/** What the colours of a line mean. */
export function ColourLegend({ series, colouredBy }: { series: TrackSeries; colouredBy: ColouredBy }) {
  const format = useFormat()
  const range = colourRange(valuesOf(series, colouredBy))
  if (range === undefined) return null
  const said = (value: number) => (colouredBy === 'speed' ? format.speed(value) : format.meters(value))
  return (
    <Group gap="xs" wrap="nowrap" className="figures">
      <Text size="sm">{said(range.from)}</Text>
      <div
        aria-hidden
        style={{
          width: 140,
          height: 8,
          borderRadius: 4,
          background: `linear-gradient(to right, ${RAMP.join(', ')})`,
        }}
      />
      <Text size="sm">{said(range.to)}</Text>
    </Group>
  )
}

import { Text } from '@mantine/core'
import type { SharedTrack } from '../dashboard/api/shares.ts'
import { useFormat } from '../dashboard/i18n/format.ts'

/** Distance, time, average and climb of a track, as last computed. */
export function Figures({ track: { activity_type, stats } }: { track: SharedTrack }) {
  const format = useFormat()
  if (stats === null) return null
  return (
    <Text size="sm" className="figures">
      {format.distance(stats.distance_meters)} · {format.duration(stats.duration_sec)} ·{' '}
      {format.rate(activity_type, stats.mean_speed_mps)} · +{format.meters(stats.elevation_gain_m)}
    </Text>
  )
}

import { useTranslation } from 'react-i18next'
import { isPaced, useFormat } from '../i18n/format.ts'

/** A figure with its name among the statistics, in words, and a second figure that belongs to it. */
export type HeadlineFigure = { name: string; title: string; value: string; detail?: string }

/** The part of a track that its headline needs. */
type HeadlineTrack = {
  activityType: string
  pointsCount: number
  /** False for a track without altitudes. */
  hasAltitudes: boolean
  stats: {
    distance_meters: number
    duration_sec: number
    moving_time_sec?: number
    elevation_gain_m: number
    elevation_loss_m?: number
    mean_speed_mps: number
  }
}

const UNKNOWN = '–'

/**
 * Returns distance, time, pace or speed, and climb. The moving time and its pace stand beside those that include stops.
 */
export function useHeadlineFigures({
  activityType,
  pointsCount,
  hasAltitudes,
  stats,
}: HeadlineTrack): HeadlineFigure[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { distance_meters, duration_sec, moving_time_sec = 0, elevation_gain_m, elevation_loss_m } = stats
  // One point has no distance and no time, rather than none of either.
  const isMeasured = pointsCount > 1 || distance_meters > 0
  const moving = (value: string) =>
    isMeasured && moving_time_sec > 0 ? { detail: t('headline.moving', { value }) } : {}
  const paced = isPaced(activityType)
  const movingMps = moving_time_sec > 0 ? distance_meters / moving_time_sec : 0
  const hasClimb = isMeasured && (hasAltitudes || elevation_gain_m > 0)
  return [
    {
      name: 'distance_meters',
      title: t('stats.distance'),
      value: isMeasured ? format.distance(distance_meters) : UNKNOWN,
    },
    {
      name: 'duration_sec',
      title: t('stats.duration'),
      value: isMeasured || duration_sec > 0 ? format.duration(duration_sec) : UNKNOWN,
      ...moving(format.duration(moving_time_sec)),
    },
    {
      name: paced ? 'pace_sec_per_km' : 'mean_speed_mps',
      title: t(paced ? 'stats.pace' : 'stats.meanSpeed'),
      value: isMeasured ? format.rate(activityType, stats.mean_speed_mps) : UNKNOWN,
      ...moving(format.rate(activityType, movingMps)),
    },
    {
      name: 'elevation_gain_m',
      title: t('stats.gain'),
      value: hasClimb ? format.meters(elevation_gain_m) : UNKNOWN,
      ...(hasClimb && elevation_loss_m !== undefined
        ? { detail: t('headline.loss', { value: format.meters(elevation_loss_m) }) }
        : {}),
    },
  ]
}

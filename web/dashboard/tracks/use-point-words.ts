import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import type { DrawnSeries } from './drawn-series.ts'

/** Returns the values at a point of a track in words: when and where it is, how high and steep, how fast. */
export function usePointWords(series: DrawnSeries, activityType: string): (index: number) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return useCallback(
    (index) => {
      const altitude = series.altitude_smoothed[index]
      const slope = series.gradient[index]
      const mps = series.speed_mps[index]
      return [
        format.time(series.time_ms[index]),
        format.duration((series.time_ms[index] - series.time_ms[0]) / 1000),
        format.distance(series.distance_meters[index]),
        ...(altitude === null ? [] : [format.meters(altitude)]),
        ...(slope === null ? [] : [t('profile.gradient', { value: format.gradient(slope) })]),
        ...(mps === null ? [] : [format.rate(activityType, mps)]),
      ].join(' · ')
    },
    [series, activityType, format, t],
  )
}

import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack, TrackSeries } from '../../api/tracks.ts'
import { useFormat } from '../../i18n/format.ts'
import { Headline } from '../../tracks/headline.tsx'
import { useHeadlineFigures } from '../../tracks/headline-figures.ts'
import { FigureOrigin } from './figure-origin.tsx'
import { shownStats } from './shown-stats.ts'

/** The headline of a track, with the origin of each figure. */
export function TrackHeadline({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const stats = shownStats(track)
  const figures = useHeadlineFigures({
    activityType: track.activity_type,
    pointsCount: stats.points_count,
    hasAltitudes: stats.max_altitude_m !== undefined,
    stats,
  })
  return (
    <Headline
      label={t('headline.title')}
      figures={figures}
      about={({ name, title }) => (
        <FigureOrigin label={title} provenance={track.provenance.find(({ statistic }) => statistic === name)} />
      )}
    />
  )
}

/** Says which part of a trimmed track is shown, and how much there is in all. */
export function TrimmedNote({ track, series }: { track: OperatorTrack; series: TrackSeries }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [first, last] = [series.time_ms.at(0), series.time_ms.at(-1)]
  if (track.shown_stats === undefined || first === undefined || last === undefined) return null
  return (
    <Text size="sm">
      {t('track.trimmed', { from: format.dateTime(first), to: format.dateTime(last) })}{' '}
      {t('track.wholeRecording', {
        distance: format.distance(track.stats.distance_meters),
        duration: format.duration(track.stats.duration_sec),
      })}
    </Text>
  )
}

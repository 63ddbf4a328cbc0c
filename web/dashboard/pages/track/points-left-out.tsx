import { List, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack } from '../../api/tracks.ts'
import { useFormat } from '../../i18n/format.ts'
import { shownStats } from './shown-stats.ts'

/** The points that the statistics exclude, with the reasons. They are kept all the same. */
export function PointsLeftOut({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reasons = track.points_left_out.filter(({ count }) => count > 0)
  const altitudes = track.altitudes_left_out
  const all = shownStats(track).points_count
  return (
    <section aria-label={t('leftOut.title')}>
      <Title order={2} mb="sm">
        {t('leftOut.title')}
      </Title>
      <Text className="figures">
        {reasons.length === 0
          ? t('leftOut.none')
          : t('leftOut.used', {
              count: all - track.points_used,
              used: format.count(track.points_used),
              all: format.count(all),
            })}
      </Text>
      {reasons.length > 0 && (
        <List mt="xs" className="figures">
          {reasons.map(({ reason, count }) => (
            <List.Item key={reason}>{t(`leftOut.${reason}`, { count, figure: format.count(count) })}</List.Item>
          ))}
        </List>
      )}
      {altitudes > 0 && (
        <Text mt="xs" className="figures">
          {t('leftOut.altitudes', { count: altitudes, figure: format.count(altitudes) })}
        </Text>
      )}
    </section>
  )
}

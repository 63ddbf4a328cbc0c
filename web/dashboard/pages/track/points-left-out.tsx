import { List, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack } from '../../api/tracks.ts'
import { useFormat } from '../../i18n/format.ts'

/** The points that the statistics exclude, with the reasons. They are kept all the same. */
export function PointsLeftOut({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reasons = track.points_left_out.filter(({ count }) => count > 0)
  return (
    <section aria-label={t('leftOut.title')}>
      <Title order={2} mb="sm">
        {t('leftOut.title')}
      </Title>
      <Text className="figures">
        {reasons.length === 0
          ? t('leftOut.none')
          : t('leftOut.used', { used: format.count(track.points_used), all: format.count(track.points_count) })}
      </Text>
      {reasons.length > 0 && (
        <List mt="xs" className="figures">
          {reasons.map(({ reason, count }) => (
            <List.Item key={reason}>{t(`leftOut.${reason}`, { count, figure: format.count(count) })}</List.Item>
          ))}
        </List>
      )}
    </section>
  )
}

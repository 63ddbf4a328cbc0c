import { List, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack } from '../../api/tracks.ts'
import { useFormat } from '../../i18n/format.ts'

/** The pauses of a track; nothing without any. */
export function Pauses({ pauses }: { pauses: OperatorTrack['pauses'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (pauses.length === 0) return null
  return (
    <section aria-label={t('pauses.title')}>
      <Title order={2} mb="sm">
        {t('pauses.title')}
      </Title>
      <List className="figures">
        {pauses.map(({ from, to }) => (
          <List.Item key={from}>
            {to === null
              ? t('pauses.since', { from: format.dateTime(from) })
              : t('pauses.fromTo', {
                  from: format.dateTime(from),
                  to: format.time(to),
                  duration: format.duration((Date.parse(to) - Date.parse(from)) / 1000),
                })}
          </List.Item>
        ))}
      </List>
    </section>
  )
}

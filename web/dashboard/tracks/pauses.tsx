import { List, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

type PausesProps = { pauses: OperatorTrack['pauses']; stops: TrackSeries['stops'] }

/** The declared pauses of a track and its long stops, in order; nothing without any. */
export function Pauses({ pauses, stops }: PausesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const periodOf = (fromMs: number, toMs: number) => ({
    from: format.dateTime(fromMs),
    to: format.time(toMs),
    duration: format.duration((toMs - fromMs) / 1000),
  })
  const all = [
    ...pauses.map(({ from, to }) => ({
      fromMs: Date.parse(from),
      said:
        to === null
          ? t('pauses.since', { from: format.dateTime(from) })
          : t('pauses.fromTo', periodOf(Date.parse(from), Date.parse(to))),
    })),
    ...stops.map(({ from_ms: fromMs, to_ms: toMs, distance_meters: meters }) => ({
      fromMs,
      said: t('pauses.stop', { ...periodOf(fromMs, toMs), distance: format.distance(meters) }),
    })),
  ].sort((a, b) => a.fromMs - b.fromMs)
  if (all.length === 0) return null
  return (
    <section aria-label={t('pauses.title')}>
      <Title order={2} mb="sm">
        {t('pauses.title')}
      </Title>
      <List className="figures">
        {all.map(({ fromMs, said }) => (
          <List.Item key={`${fromMs} ${said}`}>{said}</List.Item>
        ))}
      </List>
    </section>
  )
}

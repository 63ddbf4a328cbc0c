import { ActionIcon, Group, List, Paper, Popover, SimpleGrid, Text, Title } from '@mantine/core'
import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack, Provenance } from '../generated/types.gen.ts'
import { en, type Key } from '../i18n/en.ts'
import { type Format, isPaced, useFormat } from '../i18n/format.ts'

type Stats = OperatorTrack['stats']
type Figure = { name: string; key: Key; value: string | undefined }

/** The statistics of a track that are not in its headline, each with its origin. */
export function Statistics({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section aria-label={t('stats.title')}>
      <Title order={2} mb="sm">
        {t('stats.title')}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        {figuresOf(shownStats(track), track.activity_type, format).map(({ name, key, value }) => {
          if (value === undefined) return null
          const provenance = track.provenance.find(({ statistic }) => statistic === name)
          return (
            <Paper withBorder p="sm" bg="var(--panel-background)" key={name}>
              <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
                <Text size="sm" c="dimmed" className="figure-name">
                  {t(key)}
                </Text>
                <FigureOrigin label={t(key)} provenance={provenance} />
              </Group>
              <Text fw={650} size="lg" className="figures">
                {value}
              </Text>
            </Paper>
          )
        })}
      </SimpleGrid>
    </section>
  )
}

function figuresOf(stats: Stats, activityType: string, format: Format): Figure[] {
  const whenKnown = (value: number | undefined, said: (known: number) => string) =>
    value === undefined ? undefined : said(value)
  const paced = isPaced(activityType)
  // One point takes no time.
  const isMeasured = stats.points_count > 1
  const { moving_time_sec: moving, paused_time_sec: paused } = stats
  const standing =
    moving === undefined || paused === undefined ? undefined : Math.max(0, stats.duration_sec - moving - paused)
  return [
    {
      name: 'moving_time_sec',
      key: 'stats.moving',
      value: isMeasured ? whenKnown(moving, format.duration) : undefined,
    },
    {
      name: 'paused_time_sec',
      key: 'stats.paused',
      value: isMeasured ? whenKnown(paused, format.duration) : undefined,
    },
    {
      name: 'standing_time',
      key: 'stats.standing',
      value: isMeasured ? whenKnown(standing, format.duration) : undefined,
    },
    {
      name: 'max_speed_mps',
      key: paced ? 'stats.fastestPace' : 'stats.maxSpeed',
      value: whenKnown(stats.max_speed_mps, (mps) => format.rate(activityType, mps)),
    },
    { name: 'max_altitude_m', key: 'stats.highest', value: whenKnown(stats.max_altitude_m, format.meters) },
    { name: 'min_altitude_m', key: 'stats.lowest', value: whenKnown(stats.min_altitude_m, format.meters) },
    { name: 'points_count', key: 'stats.points', value: format.count(stats.points_count) },
  ]
}

type FigureOriginProps = { label: string; provenance: Provenance | undefined }

/** Tells, on request, how a figure is calculated. */
export function FigureOrigin({ label, provenance }: FigureOriginProps) {
  const { t } = useTranslation()
  if (provenance === undefined) return null
  const key = ruleKey(provenance.rule)
  return (
    <Popover width={300} withArrow trapFocus={false} position="bottom-end">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('stats.how', { figure: label })}>
          <Info size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('stats.how', { figure: label })}>
        <Text size="sm" lang={key === undefined ? 'en' : undefined}>
          {key === undefined ? provenance.explanation : t(key)}
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          {t(provenance.source === 'device' ? 'stats.fromDevice' : 'stats.fromServer')}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Returns the key of the text that explains a rule of the statistics; undefined without one. */
function ruleKey(rule: string): Key | undefined {
  const key = `rule.${rule}`
  return key in en ? (key as Key) : undefined
}

/** Returns the statistics of the part that is shown: those of the whole track unless it is trimmed. */
export function shownStats(track: OperatorTrack): OperatorTrack['stats'] {
  return track.shown_stats ?? track.stats
}

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

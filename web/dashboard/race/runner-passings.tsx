import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Ranking } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { exactnessOf, gapWords, stageWords } from './entry-words.ts'

type RunnerPassingsProps = { ranking: Ranking | undefined; trackId: string }

/** The place of a runner in the race and the times of all passings; nothing for a track outside of it. */
export function RunnerPassings({ ranking, trackId }: RunnerPassingsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const entry = ranking?.entries.find(({ track_id }) => track_id === trackId)
  if (ranking === undefined || ranking.length_m === null || entry === undefined) return null
  const facts = [
    ...(entry.rank === null ? [] : [t('race.placeOf', { place: format.count(entry.rank) })]),
    ...(entry.bib === null ? [] : [t('race.bibOf', { bib: entry.bib })]),
    ...(entry.category === null ? [] : [entry.category]),
    stageWords(entry, t),
    ...(entry.gap_sec !== null && entry.gap_sec > 0 ? [gapWords(entry, format)] : []),
  ]
  return (
    <div>
      <Text size="sm" fw={600}>
        {facts.join(' · ')}
      </Text>
      {entry.passings.map((passing) => (
        <Group key={passing.checkpoint_id} justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" truncate>
            {ranking.checkpoints.find(({ id }) => id === passing.checkpoint_id)?.name}
          </Text>
          <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
            {passing.elapsed_sec === null ? format.clock(passing.time_ms) : format.duration(passing.elapsed_sec)}{' '}
            <Text span size="xs" c="dimmed">
              {exactnessOf(passing, t, format)}
            </Text>
          </Text>
        </Group>
      ))}
    </div>
  )
}

import { Group, Text } from '@mantine/core'
import { Radio } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Key } from '../i18n/en.ts'

const LABELS: Record<LiveState, Key> = {
  opening: 'live.opening',
  live: 'live.live',
  waiting: 'live.waiting',
  closed: 'live.closed',
  ended: 'live.ended',
}

/** Age from which the last update counts as late. The server reports its state every three seconds. */
const LATE_MS = 10_000

type LiveStatusProps = {
  state: LiveState
  /** Time on the page's clock of which it shows the state; undefined if it is unknown. */
  currentAtMs?: number
  /** Text while the page follows changes. */
  liveLabel?: Key
}

/** Tells whether a live page is up to date, and if it is not, how old it is. */
export function LiveStatus({ state, currentAtMs, liveLabel = LABELS.live }: LiveStatusProps) {
  const { t } = useTranslation()
  const ageSec = useLateAge(currentAtMs)
  const isLate = ageSec !== undefined
  const isCurrent = state === 'live' && !isLate
  return (
    <Group gap={6}>
      <Group gap={6} role="status">
        <Radio
          size={16}
          aria-hidden
          color={isCurrent ? 'var(--mantine-color-teal-7)' : 'var(--mantine-color-dimmed)'}
        />
        <Text size="sm">{t(state !== 'live' ? LABELS[state] : isLate ? 'live.late' : liveLabel)}</Text>
      </Group>
      {/* Outside of the status, which would be read out every second. */}
      {isLate && (
        <Text size="sm" className="figures">
          {ageSec < 60
            ? t('live.updatedSeconds', { seconds: ageSec })
            : t('live.updatedMinutes', { minutes: Math.floor(ageSec / 60) })}
        </Text>
      )}
    </Group>
  )
}

/** Returns the age of the page's facts in seconds; undefined while they are up to date. */
function useLateAge(currentAtMs: number | undefined): number | undefined {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  if (currentAtMs === undefined) return undefined
  const ageMs = nowMs - currentAtMs
  return ageMs < LATE_MS ? undefined : Math.floor(ageMs / 1000)
}

/** The state of a live stream: `opening` until the snapshot is complete, `waiting` while the browser reconnects. */
export type LiveState = 'opening' | 'live' | 'waiting' | 'closed' | 'ended'

import { Badge, Button, CloseButton, Group, Text } from '@mantine/core'
import { LocateFixed } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { useFormat } from '../i18n/format.ts'
import type { KnownTrack, RunnerFigures } from './list-tracks.ts'
import { type Listed, namesOf, type RaceFacts, type RunnerStatus } from './runners.ts'

/** Following a runner: `stopped` after the user has moved the map away. */
export type Following = 'off' | 'on' | 'stopped'

type RunnerCardProps<Track extends SharedTrack> = {
  entry: KnownTrack<Track>
  figures: RunnerFigures
  following: Following
  onFollow(isFollowed: boolean): void
  onClose(): void
  /** Renders more about the track, such as a link to its page. */
  more?(track: Track): ReactNode
}

/** A card with all that is known of the selected runner. */
export function RunnerCard<Track extends SharedTrack>(props: RunnerCardProps<Track>) {
  const { entry, figures, following, onFollow, onClose, more } = props
  const { t } = useTranslation()
  const { track, status } = entry
  const { name: known, bib, category } = namesOf(track)
  const name = useFormat().trackName(known, track.start_ts)
  useEffect(() => {
    const pressed = ({ key, defaultPrevented }: KeyboardEvent) => {
      // A dialog or a menu above the card closes first.
      const isAbove = document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null
      if (key === 'Escape' && !defaultPrevented && !isAbove) onClose()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [onClose])
  return (
    <section className="runner-card" aria-label={t('live.card', { name })}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <div className="runner-card-name">
          <Text fw={650} lineClamp={2}>
            {name}
          </Text>
          {(bib !== undefined || category !== undefined) && (
            <Text size="xs" c="dimmed">
              {[bib && t('live.bib', { bib }), category].filter(Boolean).join(' · ')}
            </Text>
          )}
        </div>
        <CloseButton size="sm" aria-label={t('live.closeCard')} onClick={onClose} />
      </Group>
      <Group gap="xs">
        <StatusBadge status={status} raceStatus={(track as Listed).race?.status ?? undefined} />
        <Text size="sm" className="figures">
          {[figures.offCourse, figures.heard].filter(Boolean).join(' · ')}
        </Text>
      </Group>
      <Facts figures={figures} />
      <Group gap="sm">
        {status !== 'stopped' && status !== 'ended' && (
          <Button
            size="compact-sm"
            variant={following === 'on' ? 'filled' : 'default'}
            leftSection={<LocateFixed size={14} aria-hidden />}
            aria-pressed={following === 'on'}
            onClick={() => onFollow(following !== 'on')}
          >
            {t('live.follow')}
          </Button>
        )}
        {more?.(track)}
      </Group>
      <Text size="xs" c="dimmed" role="status">
        {following === 'on' ? t('live.following', { name }) : following === 'stopped' ? t('live.followStopped') : ''}
      </Text>
    </section>
  )
}

function Facts({ figures }: { figures: RunnerFigures }) {
  const { t } = useTranslation()
  const facts = [
    [t('live.distance'), figures.distance],
    [t('live.time'), figures.raceTime ?? figures.duration],
    [t('live.average'), figures.averageRate],
    [t('live.now'), figures.rate],
    [t('live.batteryLabel'), figures.battery?.text],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined)
  if (facts.length === 0) return null
  return (
    <dl className="runner-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="figures" data-low={(label === t('live.batteryLabel') && figures.battery?.isLow) || undefined}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const COLOURS: Record<RunnerStatus, string> = {
  running: 'teal.9',
  paused: 'orange.9',
  silent: 'var(--mantine-color-text)',
  astray: 'red.9',
  stopped: 'indigo.8',
  ended: 'dark.4',
}

/** Status that an operator has given a runner. */
export type RaceStatus = NonNullable<RaceFacts['status']>

/** The status of a runner as a badge, by text and not by colour alone. */
export function StatusBadge({ status, raceStatus }: { status: RunnerStatus; raceStatus: RaceStatus | undefined }) {
  const { t } = useTranslation()
  const badgeText = () => {
    if (status === 'astray') return t('live.astray')
    if (raceStatus !== undefined && status !== 'silent') return t(`race.status.${raceStatus}`)
    if (status === 'silent') return t('live.silent')
    return status === 'ended' ? t('live.recordingEnded') : t(`state.${status}`)
  }
  return (
    <Badge variant={status === 'silent' ? 'outline' : 'filled'} size="sm" color={COLOURS[status]} miw="max-content">
      {badgeText()}
    </Badge>
  )
}

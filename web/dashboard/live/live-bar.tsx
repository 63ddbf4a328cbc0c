import { Button, Group, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { type Player, stepSec, usePlayerState, usePlaying } from './player.ts'
import { keyTarget, PlayerBar } from './replay-controls.tsx'

/** The time is brought up to date this often. */
const REFRESH_MS = 500
/** Less of the past is not worth a slider. */
const MIN_PAST_SEC = 10
/** Shortest step of the arrow keys. The steps of the slider would not lead away from the present. */
const MIN_STEP_SEC = 10
/** Times further apart than this name the day as well. */
const DAY_SEC = 86_400

type LiveBarProps = {
  player: Player
  /** True for a past event, whose last moment has a time of its own. */
  isOver: boolean
}

/** The player of a live map: back in time, and to the present again. */
export function LiveBar({ player, isOver }: LiveBarProps) {
  const { t } = useTranslation()
  const format = useFormat()
  usePlaying(player, useReducedMotion())
  const { atSec, isLive } = usePlayerState(player, REFRESH_MS)
  const { fromSec, untilSec } = player
  if (!(untilSec - fromSec > MIN_PAST_SEC)) return null
  const words = (sec: number) => (untilSec - fromSec > DAY_SEC ? format.dateTime(sec * 1000) : format.time(sec * 1000))
  const move = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('[role="slider"]')) return
    const sec = keyTarget(event.key, player, Math.max(MIN_STEP_SEC, stepSec(untilSec - fromSec)))
    if (sec === undefined) return
    event.preventDefault()
    event.stopPropagation()
    player.seek(sec)
  }
  return (
    <Group className="live-bar" gap="sm" justify="flex-end" onKeyDownCapture={move}>
      <PlayerBar player={player} label={t('live.timeShown')} words={words} size={32} />
      {isLive ? (
        <Text size="sm" c="dimmed" className="figures">
          {isOver ? words(untilSec) : t('live.atPresent')}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600} className="figures">
            {words(atSec)}
          </Text>
          <Button size="compact-sm" variant="light" onClick={() => player.goLive()}>
            {t(isOver ? 'live.toEnd' : 'live.toPresent')}
          </Button>
        </>
      )}
    </Group>
  )
}

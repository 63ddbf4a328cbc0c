import { ActionIcon, Group, Slider } from '@mantine/core'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Player, usePlayerState } from './player.ts'

/** The time next to the slider is read, not watched. */
const REFRESH_MS = 200

type PlayerBarProps = {
  player: Player
  /** Name of the slider. */
  label: string
  /** Returns a time in words. */
  words(sec: number): string
  /** Size of the button. */
  size: number
}

/** The button and the slider of a player. */
export function PlayerBar({ player, label, words, size }: PlayerBarProps) {
  const { t } = useTranslation()
  const { atSec, isPlaying, isLive } = usePlayerState(player, REFRESH_MS)
  return (
    <Group gap="sm" wrap="nowrap" className="player-bar">
      <ActionIcon
        size={size}
        radius="xl"
        variant="filled"
        aria-label={t(isPlaying ? 'replay.pause' : 'replay.play')}
        onClick={() => player.toggle()}
      >
        {isPlaying ? <Pause aria-hidden size={size / 2} /> : <Play aria-hidden size={size / 2} />}
      </ActionIcon>
      <Slider
        flex={1}
        min={player.fromSec}
        max={player.untilSec}
        step={1}
        // The present is some seconds before the last frame.
        value={isLive ? player.untilSec : atSec}
        onChange={(sec) => player.seek(sec)}
        label={null}
        thumbLabel={label}
        thumbValueText={words}
      />
    </Group>
  )
}

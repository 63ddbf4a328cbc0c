import { ActionIcon, Group, NativeSelect, SegmentedControl, Slider, Text } from '@mantine/core'
import { Pause, Play } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Format, useFormat } from '../i18n/format.ts'
import { type Player, SPEEDS, stepSec, usePlayerState } from './player.ts'
import type { ReplayMode, Timeline } from './replay-timeline.ts'

/** The time next to the slider and under it is read, not watched. */
const REFRESH_MS = 200

type ReplayControlsProps = { player: Player; timeline: Timeline; onMode(mode: ReplayMode): void }

/** The buttons, the slider and the choices of a replay. */
export function ReplayControls({ player, timeline, onMode }: ReplayControlsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { atSec, speed } = usePlayerState(player, REFRESH_MS)
  const words = (sec: number) => timeWords(timeline, sec, format)
  return (
    <div>
      <PlayerBar player={player} label={t('replay.position')} words={words} size={44} />
      <Group justify="space-between" mt={6} gap="sm">
        <Text className="replay-time">{words(atSec)}</Text>
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label={t('replay.mode')}
            value={timeline.mode}
            onChange={(value) => onMode(value as ReplayMode)}
            data={[
              { value: 'clock', label: t('replay.clock') },
              { value: 'common', label: t('replay.common') },
            ]}
          />
          <NativeSelect
            size="xs"
            aria-label={t('replay.speed')}
            value={String(speed)}
            onChange={({ currentTarget }) => player.choose(Number(currentTarget.value))}
            data={SPEEDS.map((one) => ({ value: String(one), label: t('replay.times', { times: one }) }))}
          />
        </Group>
      </Group>
    </div>
  )
}

/** Returns a time of a replay in words: the time of day, or the time since the start. */
export function timeWords({ mode, originMs, durationSec }: Timeline, sec: number, format: Format): string {
  if (mode === 'common') return format.duration(sec)
  const ms = originMs + sec * 1000
  return durationSec > DAY_SEC ? format.dateTime(ms) : format.time(ms)
}

/** Longer events name the day as well. */
const DAY_SEC = 86_400

/** Elements with keys of their own. The slider is not among them: the arrow keys move it by the same steps. */
const OWN_KEYS = [
  'input:not([type="radio"])',
  'select',
  'textarea',
  'button',
  'a',
  '[role="dialog"]',
  '[role="menu"]',
  '[role="listbox"]',
  '.maplibregl-canvas',
].join()
/** Only the arrow keys choose between these. */
const CHOICES = '[type="radio"]'
/** Page keys move by this many steps. */
const PAGE_STEPS = 10

/** Lets the keyboard play and move a replay wherever the focus is, but for elements with keys of their own. */
export function useReplayKeys(player: Player): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return
      if (isOwn(target) || (target.matches(CHOICES) && key.startsWith('Arrow'))) return
      if (key === ' ') player.toggle()
      else {
        const sec = keyTarget(key, player, stepSec(player.untilSec - player.fromSec))
        if (sec === undefined) return
        player.seek(sec)
      }
      event.preventDefault()
      event.stopPropagation()
    }
    // Before the slider, whose own steps would be too small.
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [player])
}

function isOwn(target: Element): boolean {
  return !target.matches('[role="slider"]') && target.closest(OWN_KEYS) !== null
}

/** Returns the time that a key leads to, in steps of some seconds; undefined for keys that do not move. */
export function keyTarget(key: string, { state, fromSec, untilSec }: Player, step: number): number | undefined {
  const atSec = Math.min(state.atSec, untilSec)
  if (key === 'ArrowRight' || key === 'ArrowUp') return atSec + step
  if (key === 'ArrowLeft' || key === 'ArrowDown') return atSec - step
  if (key === 'PageUp') return atSec + step * PAGE_STEPS
  if (key === 'PageDown') return atSec - step * PAGE_STEPS
  if (key === 'Home') return fromSec
  return key === 'End' ? untilSec : undefined
}

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

import { VisuallyHidden } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { timeWords } from './replay-controls.tsx'
import type { ReplayPlayer } from './replay-player.ts'
import type { Runner } from './replay-runners.ts'
import type { Timeline } from './replay-timeline.ts'
import { standingsAt } from './standings.ts'

/** While a replay plays, it is told this often; a screen reader needs some seconds for a sentence. */
const PLAYING_EVERY_MS = 15_000
/** After a move, the keys may be pressed again at once. */
const SETTLED_MS = 600

type ReplayWordsProps = { player: ReplayPlayer; runners: readonly Runner[]; timeline: Timeline }

/** Tells screen readers the time of a replay and its leader: after each move, and now and then while it plays. */
export function ReplayWords({ player, runners, timeline }: ReplayWordsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [atSec, setAtSec] = useState(player.state.atSec)
  const toldMs = useRef(0)
  useEffect(() => {
    let settling: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      toldMs.current = performance.now()
      setAtSec(player.state.atSec)
    }
    const changed = () => {
      clearTimeout(settling)
      if (!player.state.isPlaying) settling = setTimeout(tell, SETTLED_MS)
      else if (performance.now() - toldMs.current >= PLAYING_EVERY_MS) tell()
    }
    const leave = player.subscribe(changed)
    return () => {
      leave()
      clearTimeout(settling)
    }
  }, [player])
  const standings = useMemo(() => standingsAt(runners, timeline, atSec), [runners, timeline, atSec])
  const ended = standings.filter(({ state }) => state === 'ended').length
  const { runner, meters, state } = standings[0]
  return (
    <VisuallyHidden role="status">
      {[
        timeWords(timeline, atSec, format),
        ...(state === 'waiting' ? [] : [t('replay.leader', { name: runner.name, distance: format.distance(meters) })]),
        ...(ended === 0 ? [] : [t('replay.ended', { count: ended, figure: format.count(ended) })]),
      ].join('. ')}
    </VisuallyHidden>
  )
}

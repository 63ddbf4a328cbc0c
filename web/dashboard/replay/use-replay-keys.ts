import { useEffect } from 'react'
import { type ReplayPlayer, stepSec } from './replay-player.ts'

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
export function useReplayKeys(player: ReplayPlayer): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return
      if (isOwn(target) || (target.matches(CHOICES) && key.startsWith('Arrow'))) return
      if (key === ' ') player.toggle()
      else {
        const sec = keyTarget(key, player)
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

/** Returns the time that a key leads to; undefined for keys that do not move. */
function keyTarget(key: string, { state: { atSec }, durationSec }: ReplayPlayer): number | undefined {
  const step = stepSec(durationSec)
  if (key === 'ArrowRight' || key === 'ArrowUp') return atSec + step
  if (key === 'ArrowLeft' || key === 'ArrowDown') return atSec - step
  if (key === 'PageUp') return atSec + step * PAGE_STEPS
  if (key === 'PageDown') return atSec - step * PAGE_STEPS
  if (key === 'Home') return 0
  return key === 'End' ? durationSec : undefined
}

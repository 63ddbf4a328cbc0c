import type { Pause } from '../../domain/pauses.ts'

/**
 * Returns a function that takes the times of a track's points in their order, and tells for each whether a pause began
 * or ended between it and the point before. There, programs must not join the points. A pause causes at most two cuts,
 * however many points a phone sends during it.
 */
export function createPauseCuts(pauses: readonly Pause[]): (timeMs: number) => boolean {
  const lasting = pauses.filter(({ fromMs, toMs }) => fromMs < toMs)
  let ended = 0
  let lastPart: number | undefined
  return (timeMs) => {
    while (ended < lasting.length && lasting[ended].toMs <= timeMs) ended++
    const isPaused = ended < lasting.length && lasting[ended].fromMs < timeMs
    const part = 2 * ended + (isPaused ? 1 : 0)
    const isCut = lastPart !== undefined && part !== lastPart
    lastPart = part
    return isCut
  }
}

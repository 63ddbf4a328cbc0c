import type { ChangedTrack } from '../storage/track-changes.ts'
import type { SentTracks } from './track-messages.ts'

/** Most tracks read at once because their figures are being computed: reading them is a query a second. */
const MAX_FIGURES = 100

/** Finds the tracks of which there may be news although nothing has changed. */
export class AwaitedTracks {
  #position = 0
  #untilMs = Number.NEGATIVE_INFINITY

  /**
   * Returns the tracks to read again. Those that are held back are all read once there is more to show of them, and
   * some of those whose figures are being computed, in turns.
   */
  next(sent: SentTracks, untilMs: number): ChangedTrack[] {
    const held: ChangedTrack[] = []
    const figures: ChangedTrack[] = []
    for (const [id, { updatedAt, awaits }] of sent) {
      if (awaits === 'time') held.push({ id, updated_at: updatedAt })
      else if (awaits === 'figures') figures.push({ id, updated_at: updatedAt })
    }
    const isLater = untilMs > this.#untilMs
    this.#untilMs = untilMs
    if (this.#position >= figures.length) this.#position = 0
    const some = figures.slice(this.#position, this.#position + MAX_FIGURES)
    this.#position += MAX_FIGURES
    return isLater ? [...held, ...some] : some
  }
}

/** Waits again for figures that a viewer lacks whose snapshot was made before the others got them. */
export function awaitAgain(sent: SentTracks, lacking: SentTracks): void {
  for (const [id, { awaits }] of lacking) {
    const state = sent.get(id)
    if (awaits === 'figures' && state !== undefined && state.awaits === undefined) {
      sent.set(id, { ...state, awaits, look: undefined })
    }
  }
}

import type { EventsStore } from '../storage/events-store.ts'

/** How often it is written down when tokens were used. */
const WRITE_EVERY_MS = 60_000
/** Tokens that one statement names. */
const TOKENS_PER_WRITE = 500

type Options = { events: EventsStore; now: () => number; onFailure: (error: unknown) => void }

/**
 * Notes which tokens are used, and writes it down once a minute for all of them: a request that brings points writes
 * nothing but its points.
 */
export class TokenUse {
  readonly #options: Options
  #used = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref()
  }

  /** Notes the use of a token that opened something. */
  note(tokenSha256: string): void {
    this.#used.add(tokenSha256)
  }

  /** Writes down what was noted; what cannot be written is of no consequence. */
  async write(): Promise<void> {
    const { events, now, onFailure } = this.#options
    const used = [...this.#used]
    this.#used = new Set()
    try {
      for (let i = 0; i < used.length; i += TOKENS_PER_WRITE) {
        await events.noteUse(used.slice(i, i + TOKENS_PER_WRITE), now())
      }
    } catch (error) {
      onFailure(error)
    }
  }

  /** Writes down the last of it. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }
}

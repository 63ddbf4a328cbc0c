/** Interval at which uses are written to the database. */
const WRITE_EVERY_MS = 60_000
/** Maximum number of tokens in one statement. */
const TOKENS_PER_WRITE = 500

type Options = {
  store: {
    /** Stores when tokens were last used. */
    noteUse(tokenSha256s: readonly string[], nowMs: number): Promise<void>
  }
  now: () => number
  onFailure: (error: unknown) => void
}

/**
 * Records which tokens are used. Uses are collected in memory and written once a minute, so a request that brings
 * points writes nothing but its points.
 */
export class TokenUse {
  readonly #options: Options
  #used = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref()
  }

  /** Records the use of a valid token. */
  note(tokenSha256: string): void {
    this.#used.add(tokenSha256)
  }

  /** Writes the collected uses to the database. Uses that cannot be written are dropped. */
  async write(): Promise<void> {
    const { store, now, onFailure } = this.#options
    const used = [...this.#used]
    this.#used = new Set()
    try {
      for (let i = 0; i < used.length; i += TOKENS_PER_WRITE) {
        await store.noteUse(used.slice(i, i + TOKENS_PER_WRITE), now())
      }
    } catch (error) {
      onFailure(error)
    }
  }

  /** Writes the last uses and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }
}

import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { Logger } from '#platform/logger.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'

/** How soon a session that another instance has ended, or that has expired, loses its streams here. */
const LOOK_EVERY_MS = 3_000

type Deps = { sessions: Pick<SessionsStore, 'living'>; logger: Logger; now: () => number }

/**
 * Ends the streams of events that a session has open when the session ends. A request asks for its session once, and a
 * stream goes on for minutes after that; so the database is asked every few seconds, once for all streams, and not at
 * all while none is open.
 */
export class SessionStreams {
  readonly #deps: Deps
  readonly #streams = new Map<string, Set<EventStream>>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #lookAgain = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Keeps a stream for as long as the session of this token lives. */
  hold(tokenSha256: string, stream: EventStream): void {
    if (stream.closed.aborted) return
    this.#streams.set(tokenSha256, (this.#streams.get(tokenSha256) ?? new Set()).add(stream))
    stream.closed.addEventListener('abort', () => this.#release(tokenSha256, stream))
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref()
    // The session may have ended since it was asked for.
    this.look()
  }

  /** To be called when sessions have ended: what is open of them ends at once. */
  look(): void {
    this.#lookAgain = true
    if (!this.#isLooking) void this.#lookWhileAsked()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #release(tokenSha256: string, stream: EventStream): void {
    const streams = this.#streams.get(tokenSha256)
    streams?.delete(stream)
    if (streams?.size === 0) this.#streams.delete(tokenSha256)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #lookWhileAsked(): Promise<void> {
    this.#isLooking = true
    while (this.#lookAgain && this.#streams.size > 0) {
      this.#lookAgain = false
      try {
        await this.#endOrphans()
      } catch (err) {
        this.#deps.logger.warn({ err }, 'asking for the sessions of open streams failed')
      }
    }
    this.#isLooking = false
  }

  async #endOrphans(): Promise<void> {
    const asked = [...this.#streams.keys()]
    const living = await this.#deps.sessions.living(asked, this.#deps.now())
    for (const tokenSha256 of asked) {
      if (living.has(tokenSha256)) continue
      for (const stream of [...(this.#streams.get(tokenSha256) ?? [])]) stream.end()
    }
  }
}

import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { Logger } from '#platform/logger.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'

/** Time after which streams end here when another instance has ended the session, or it has expired. */
const CHECK_EVERY_MS = 3_000

type Deps = { sessions: Pick<SessionsStore, 'living'>; logger: Logger; now: () => number }

/**
 * Ends the event streams of a session when the session ends. A request checks its session once, and a stream stays open
 * for minutes after that. So one query every few seconds checks the sessions of all streams, and none runs while no
 * stream is open.
 */
export class SessionStreams {
  readonly #deps: Deps
  readonly #streams = new Map<string, Set<EventStream>>()
  #timer: NodeJS.Timeout | undefined
  #isChecking = false
  #checkAgain = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Ends a stream with the session of this token. */
  hold(tokenSha256: string, stream: EventStream): void {
    if (stream.closed.aborted) return
    this.#streams.set(tokenSha256, (this.#streams.get(tokenSha256) ?? new Set()).add(stream))
    stream.closed.addEventListener('abort', () => this.#release(tokenSha256, stream))
    this.#timer ??= setInterval(() => this.check(), CHECK_EVERY_MS).unref()
    // The session may have ended since the request was checked.
    this.check()
  }

  /** Ends the streams of ended sessions at once. To be called after sessions have ended. */
  check(): void {
    this.#checkAgain = true
    if (!this.#isChecking) void this.#checkWhileAsked()
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

  async #checkWhileAsked(): Promise<void> {
    this.#isChecking = true
    while (this.#checkAgain && this.#streams.size > 0) {
      this.#checkAgain = false
      try {
        await this.#endOrphans()
      } catch (err) {
        this.#deps.logger.warn({ err }, 'checking the sessions of open streams failed')
      }
    }
    this.#isChecking = false
  }

  async #endOrphans(): Promise<void> {
    const held = [...this.#streams.keys()]
    const living = await this.#deps.sessions.living(held, this.#deps.now())
    for (const tokenSha256 of held) {
      if (living.has(tokenSha256)) continue
      for (const stream of [...(this.#streams.get(tokenSha256) ?? [])]) stream.end()
    }
  }
}

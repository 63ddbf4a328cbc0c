import type { Logger } from '#platform/basics/logger.ts'
import type { OperatorAccess } from '#platform/credentials/operator-access.ts'
import type { EventStream } from '#platform/http/event-stream.ts'
import { accessOf } from '../model/operator-rights.ts'
import type { SessionsStore } from '../model/sessions-store.ts'

type Deps = { sessions: SessionsStore; logger: Logger; now: () => number }

/** Tells whether an operator with these rights may go on with a stream. */
type MayStay = (access: OperatorAccess) => Promise<boolean>

/**
 * Ends the event streams of a session when the session ends, or its operator loses the right to them. A request checks
 * its session once, and a stream stays open for minutes after that. So a job checks the sessions of all streams with
 * one query every few seconds, while any stream is open.
 */
export class SessionStreams {
  readonly #deps: Deps
  readonly #streams = new Map<string, Map<EventStream, MayStay>>()
  #isChecking = false
  #checkAgain = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Ends a stream with the session of this token, and once `mayStay` denies it. */
  hold(tokenSha256: string, stream: EventStream, mayStay: MayStay): void {
    if (stream.closed.aborted) return
    this.#streams.set(tokenSha256, (this.#streams.get(tokenSha256) ?? new Map()).set(stream, mayStay))
    stream.closed.addEventListener('abort', () => this.#release(tokenSha256, stream))
    // The session may have ended, or the rights changed, since the request was checked.
    this.check()
  }

  /**
   * Ends the streams of ended sessions and lost rights at once. To be called after sessions have ended or rights
   * changed.
   */
  check(): void {
    this.#checkAgain = true
    if (!this.#isChecking) void this.#checkWhileAsked()
  }

  /** True while any stream is open. */
  get isHolding(): boolean {
    return this.#streams.size > 0
  }

  #release(tokenSha256: string, stream: EventStream): void {
    const streams = this.#streams.get(tokenSha256)
    streams?.delete(stream)
    if (streams?.size === 0) this.#streams.delete(tokenSha256)
  }

  async #checkWhileAsked(): Promise<void> {
    this.#isChecking = true
    while (this.#checkAgain && this.#streams.size > 0) {
      this.#checkAgain = false
      try {
        await this.endOrphans()
      } catch (err) {
        this.#deps.logger.warn({ err }, 'checking the sessions of open streams failed')
      }
    }
    this.#isChecking = false
  }

  /** Ends the streams of ended sessions and lost rights. Rejects if the sessions cannot be read. */
  async endOrphans(): Promise<void> {
    const held = [...this.#streams.keys()]
    const living = await this.#deps.sessions.living(held, this.#deps.now())
    for (const tokenSha256 of held) {
      const rights = living.get(tokenSha256)
      for (const [stream, mayStay] of [...(this.#streams.get(tokenSha256) ?? [])]) {
        if (rights === undefined || !(await mayStay(accessOf(rights)))) stream.end()
      }
    }
  }
}

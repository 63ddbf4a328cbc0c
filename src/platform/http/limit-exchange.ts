import { randomUUID } from 'node:crypto'
import type { Notices } from '../database/notices.ts'
import { type Announcement, SharedLimit } from './shared-limit.ts'

/** Topic of the notices by which instances announce their claims. */
const TOPIC = 'limits'
/** Interval at which an instance shows that it is there, with or without claims. */
const GREET_EVERY_MS = 2000
/** Silence after which an instance counts as gone. */
const GONE_AFTER_MS = 7000
/** Claims in a notice, which may have 7,000 bytes, and in a tick: callers beyond it get the even part. */
const CLAIMS_PER_NOTICE = 40
const CLAIMS_PER_TICK = 400

type Notice = {
  from: string
  /** Claims: name of the limit, caller, held, wanted. */
  claims: [string, string, number, number][]
  isLeaving?: boolean
}

type LimitExchangeOptions = { notices: Notices; nowMs?: () => number }

/**
 * Divides limits among the instances on one database, by notices: a few each second for the callers that come near a
 * limit, and none for the others. While the database is away, each instance allows an even part.
 */
export class LimitExchange {
  readonly #notices: Notices
  readonly #nowMs: () => number
  readonly #limits = new Map<string, SharedLimit>()
  readonly #lastHeardMs = new Map<string, number>()
  readonly #self = randomUUID().slice(0, 13)
  readonly #unsubscribe: () => void
  #all: readonly string[] = [this.#self]
  #greetedAtMs = Number.NEGATIVE_INFINITY
  #isAnnouncing = false

  constructor({ notices, nowMs = () => performance.now() }: LimitExchangeOptions) {
    this.#notices = notices
    this.#nowMs = nowMs
    this.#unsubscribe = notices.subscribe(TOPIC, (payload) => this.#receive(payload))
  }

  /** Divides a limit by the name that it has on all instances. */
  share(name: string, limit: number): SharedLimit {
    const exchange = this
    const instances = {
      self: this.#self,
      get all() {
        return exchange.#all
      },
      isLive: () => this.#notices.isLive(),
      announceSoon: () => this.#announceSoon(),
    }
    const shared = new SharedLimit(limit, instances, this.#nowMs)
    this.#limits.set(name, shared)
    return shared
  }

  /** Moves on by a tick; called by a job, once each `TICK_MS`. */
  tick(): void {
    const nowMs = this.#nowMs()
    // Without notices, nothing is known about the others, who are probably still there.
    if (this.#notices.isLive()) {
      for (const [instance, lastMs] of this.#lastHeardMs)
        if (nowMs - lastMs > GONE_AFTER_MS) this.#lastHeardMs.delete(instance)
      this.#listInstances()
    }
    for (const limit of this.#limits.values()) limit.tick()
    const isGreeting = nowMs - this.#greetedAtMs >= GREET_EVERY_MS
    this.#announce({ ofAll: false, isGreeting })
  }

  /** Tells the others that this instance uses nothing any more. */
  close(): void {
    this.#unsubscribe()
    if (this.#notices.isLive()) void this.#publish({ from: this.#self, claims: [], isLeaving: true })
  }

  #announceSoon(): void {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    setImmediate(() => {
      this.#isAnnouncing = false
      this.#announce({ ofAll: false, isGreeting: false })
    })
  }

  #announce({ ofAll, isGreeting }: { ofAll: boolean; isGreeting: boolean }): void {
    if (!this.#notices.isLive()) return
    const claims = [...this.#limits].flatMap(([name, limit]) =>
      limit
        .announcements(ofAll)
        .map(({ caller, held, wanted }): Notice['claims'][number] => [name, caller, held, wanted]),
    )
    if (isGreeting) this.#greetedAtMs = this.#nowMs()
    for (let at = 0; at < Math.min(CLAIMS_PER_TICK, claims.length || Number(isGreeting)); at += CLAIMS_PER_NOTICE)
      void this.#publish({ from: this.#self, claims: claims.slice(at, at + CLAIMS_PER_NOTICE) })
  }

  /** A notice that is lost is made up for by the next. */
  async #publish(notice: Notice): Promise<void> {
    await this.#notices.publish(TOPIC, JSON.stringify(notice)).catch(() => {})
  }

  #receive(payload: string | undefined): void {
    // Listening has begun, also after a lost connection: the state of the other instances is unknown.
    if (payload === undefined) {
      this.#announce({ ofAll: true, isGreeting: true })
      return
    }
    const { from, claims, isLeaving = false } = JSON.parse(payload) as Notice
    if (from !== this.#self) this.#meet(from, isLeaving)
    for (const [name, caller, held, wanted] of claims)
      this.#limits.get(name)?.heard(from, { caller, held, wanted } satisfies Announcement)
  }

  #meet(instance: string, isLeaving: boolean): void {
    const isKnown = this.#lastHeardMs.has(instance)
    if (isLeaving) this.#lastHeardMs.delete(instance)
    else this.#lastHeardMs.set(instance, this.#nowMs())
    if (isKnown !== isLeaving) return
    this.#listInstances()
    // A new instance has not heard who else is there.
    if (!isLeaving) this.#announce({ ofAll: true, isGreeting: true })
  }

  #listInstances(): void {
    this.#all = [this.#self, ...this.#lastHeardMs.keys()].sort()
  }
}

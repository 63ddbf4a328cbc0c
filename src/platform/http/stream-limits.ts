import { rateLimited, unavailable } from '../basics/errors.ts'
import { ConnectionLimit, type ConnectionLimits } from './connection-limit.ts'
import type { SharedLimit } from './shared-limit.ts'

/** The service that a stream belongs to, and its subject, such as a share. */
export type StreamTopic = { service: string; subject: string }

/** The client of a stream: the group of its address, and the operator if it is signed in. */
type StreamClient = { address: string; operatorId: string | undefined }

/** Streams of operators, apart from public streams. 1,000 take 20 MB, and 50 are more than anyone has open pages. */
const OPERATOR_LIMITS: ConnectionLimits = { total: 1_000, perCaller: 50 }
/** Share of the public streams that one subject may take, so that no link or document can use up the rest. */
const SHARE_PER_SUBJECT = 0.5
/** Value of `Retry-After` for a refused stream. */
const RETRY_AFTER_SEC = 10

/** The limits of one service. */
type ServiceLimits = { operators: ConnectionLimit; public: ConnectionLimit; subjects: ConnectionLimit }

/**
 * Bounds the event streams of each service on its own. Operators have streams of their own, by operator rather than by
 * address, so that spectators and readers cannot shut them out.
 */
export class StreamLimits {
  readonly #limits: ConnectionLimits
  readonly #services = new Map<string, ServiceLimits>()
  #shared: SharedLimit | undefined

  /** `limits` apply to the public streams of one service. */
  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Divides the limit of each client among the instances. */
  share(shared: SharedLimit): void {
    this.#shared = shared
    for (const limits of this.#services.values()) limits.public.share(shared)
  }

  /**
   * Counts a stream.
   * @returns the function that releases it
   * @throws rateLimited, unavailable if the limit of the client, of the subject or of the service is reached
   */
  hold({ service, subject }: StreamTopic, { address, operatorId }: StreamClient): () => void {
    const limits = this.#limitsOf(service)
    if (operatorId !== undefined) {
      const leave = limits.operators.hold(operatorId)
      if (leave === undefined) throw refusal(limits.operators, 'by this operator')
      return leave
    }
    // Named with the service, because the services divide one limit among the instances.
    const leave = limits.public.hold(`${service} ${address}`)
    if (leave === undefined) throw refusal(limits.public, 'from this address')
    const leaveSubject = limits.subjects.hold(subject)
    if (leaveSubject === undefined) {
      leave()
      throw tooMany('Too many live streams of this link or document are open.')
    }
    return () => {
      leave()
      leaveSubject()
    }
  }

  /** Returns the numbers of open streams of each service that has had one. */
  counts(): { service: string; client: 'operator' | 'public'; count: number }[] {
    return [...this.#services].flatMap(([service, { operators, public: open }]) => [
      { service, client: 'operator' as const, count: operators.count },
      { service, client: 'public' as const, count: open.count },
    ])
  }

  #limitsOf(service: string): ServiceLimits {
    const known = this.#services.get(service)
    if (known !== undefined) return known
    const perSubject = Math.ceil(this.#limits.total * SHARE_PER_SUBJECT)
    const limits = {
      operators: new ConnectionLimit(OPERATOR_LIMITS),
      public: new ConnectionLimit(this.#limits),
      subjects: new ConnectionLimit({ total: this.#limits.total, perCaller: perSubject }),
    }
    if (this.#shared !== undefined) limits.public.share(this.#shared)
    this.#services.set(service, limits)
    return limits
  }
}

function refusal(limit: ConnectionLimit, ofCaller: string) {
  if (limit.isFull) return tooMany('The server has reached its limit of live streams.')
  return rateLimited({
    detail: `Too many live streams are open ${ofCaller}. Try again later.`,
    retryAfterSec: RETRY_AFTER_SEC,
  })
}

function tooMany(reason: string) {
  return unavailable({ detail: `${reason} Try again later.`, retryAfterSec: RETRY_AFTER_SEC })
}

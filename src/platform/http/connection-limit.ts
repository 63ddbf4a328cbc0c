import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type AppError, rateLimited, unavailable } from '../basics/errors.ts'
import { addressGroup, addressMatcher } from './client.ts'
import { endWithProblem } from './problem.ts'
import type { SharedLimit } from './shared-limit.ts'

/** Maximum number of connections, of all callers together and of each. */
export type ConnectionLimits = { total: number; perCaller: number }

/**
 * Counts responses that last as long as the client stays. A rate limit bounds how fast they are requested, not how many
 * are open at once, and each holds a connection.
 */
export class ConnectionLimit {
  readonly #limits: ConnectionLimits
  readonly #byCaller = new Map<string, number>()
  #count = 0
  #shared: SharedLimit | undefined

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Divides the limit of each caller among the instances. The limit of all callers protects the memory of this one. */
  share(shared: SharedLimit): void {
    this.#shared = shared
  }

  /** Number of connections that are held. */
  get count(): number {
    return this.#count
  }

  /** Tells whether the limit for all callers is reached. */
  get isFull(): boolean {
    return this.#count >= this.#limits.total
  }

  /** Counts a connection. Returns the function that releases it, or undefined if a limit is reached. */
  hold(caller: string): (() => void) | undefined {
    const held = this.#byCaller.get(caller) ?? 0
    const allowed = this.#shared?.allowance(caller, held) ?? this.#limits.perCaller
    if (this.isFull || held >= allowed) return undefined
    this.#byCaller.set(caller, held + 1)
    this.#shared?.hold(caller, held + 1)
    this.#count++
    let isHeld = true
    return () => {
      if (isHeld) this.#release(caller)
      isHeld = false
    }
  }

  #release(caller: string): void {
    const held = this.#byCaller.get(caller)! - 1
    if (held > 0) this.#byCaller.set(caller, held)
    else this.#byCaller.delete(caller)
    this.#shared?.hold(caller, held)
    this.#count--
  }
}

/** Maximum number of connections of an address, trusted proxies apart. */
type AddressConnections = {
  perAddress: number
  trustedProxies: readonly string[]
  /** Called for each connection that is refused. */
  onRefused?: () => void
}

/** Time for a refused client to read its answer. */
const REFUSED_OPEN_MS = 1000
/** Value of `Retry-After` for a refused connection or stream. */
const RETRY_AFTER_SEC = 10

/**
 * Refuses connections beyond the limit of their address with 429, before anything is read from them. Each takes memory
 * of its own, and each may send a small body, which no budget counts. Behind a trusted proxy all clients have one
 * address, so the proxy has to limit them.
 */
export function limitConnections(server: Server, { perAddress, trustedProxies, onRefused }: AddressConnections): void {
  const limit = new ConnectionLimit({ total: Number.POSITIVE_INFINITY, perCaller: perAddress })
  const isProxy = addressMatcher(trustedProxies)
  // The server's own listener would read the request of a connection that is refused.
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address !== undefined && !isProxy(address)) {
      const leave = limit.hold(addressGroup(address))
      if (leave === undefined) {
        onRefused?.()
        return refuse(socket, perAddress)
      }
      socket.once('close', leave)
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}

function refuse(socket: Socket, perAddress: number): void {
  const detail = `More than ${perAddress} connections are open from this address. Try again later.`
  socket.on('error', () => {})
  // Bytes that nobody has read would reset the connection, and with it the answer.
  socket.resume()
  endWithProblem(socket, rateLimited({ detail, retryAfterSec: RETRY_AFTER_SEC }))
  setTimeout(() => socket.destroy(), REFUSED_OPEN_MS).unref()
}

/**
 * Maximum number of requests that a connection may send ahead of an unfinished response. Browsers and phones send none;
 * load generators send some. Node.js starts all requests of one packet, 2,000 and more, before anything else.
 */
const MAX_PIPELINED = 16

/** Number from which the connection is reset: this is an attack, and reading on would cost more than it is worth. */
const RESET_FROM = 100

/** Number of such requests, for connections that have any. */
const pipelined = new WeakMap<Socket, number>()

/**
 * Counts a request whose response has to wait for an earlier one of its connection. Returns an error for the first
 * request beyond the limit, and `'ignored'` for later ones: they get no response, because the first error closes the
 * connection.
 */
export function countPipelined(
  { socket }: IncomingMessage,
  response: ServerResponse,
): AppError | 'ignored' | undefined {
  const count = (pipelined.get(socket) ?? 0) + 1
  pipelined.set(socket, count)
  if (count >= RESET_FROM) socket.destroy()
  if (count > MAX_PIPELINED + 1) return 'ignored'
  if (count > MAX_PIPELINED) {
    // Otherwise the ignored requests would pile up until the earlier responses are sent.
    socket.pause()
    return rateLimited({
      detail: `More than ${MAX_PIPELINED} requests of this connection wait for their responses.`,
      headers: { connection: 'close' },
      retryAfterSec: 1,
    })
  }
  response.once('close', () => pipelined.set(socket, pipelined.get(socket)! - 1))
  return undefined
}

/** The service that a stream belongs to, and its subject, such as a share. */
export type StreamTopic = { service: string; subject: string }

/** The client of a stream: the group of its address, and the operator if it is signed in. */
type StreamClient = { address: string; operatorId: string | undefined }

/** Streams of operators, apart from public streams. 1,000 take 20 MB, and 50 are more than anyone has open pages. */
const OPERATOR_LIMITS: ConnectionLimits = { total: 1_000, perCaller: 50 }
/** Share of the public streams that one subject may take, so that no link or document can use up the rest. */
const SHARE_PER_SUBJECT = 0.5

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

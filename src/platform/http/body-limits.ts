import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { defineError, rateLimited, unavailable } from '../basics/errors.ts'
import { releaseBytes } from '../basics/memory.ts'
import { ticking } from '../basics/timers.ts'
import { addressGroup, requestToken } from './client.ts'

/**
 * Bytes of a body that never count. A batch of some minutes, a sign-in and every other form are smaller, so they are
 * accepted when large bodies have used up all memory. The limit of connections bounds their memory.
 */
export const SMALL_BODY_BYTES = 65_536

/** Parts of a budget that one client address and one token may hold. The phones of an event share its token. */
const ADDRESS_SHARE = 1 / 4
const TOKEN_SHARE = 1 / 2

/** Large bodies arrive within seconds on usual connections. */
const RETRY_AFTER_SEC = 5

/** The accounts that hold the memory of a body. */
type BodyOwner = { address: string; token: string | undefined }

/**
 * Limits the memory of the large bodies that a service is receiving, in total, for each client address and each token.
 */
export class BodyBudget {
  readonly #limitBytes: number
  readonly #usedBy = new Map<string, number>()
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Bytes held by all bodies. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Opens the account of one large body, which holds nothing yet. */
  open({ ip, headers }: FastifyRequest): BodyMemory {
    const token = requestToken(headers)
    return new BodyMemory(this, {
      address: `address ${addressGroup(ip)}`,
      token: token === undefined ? undefined : `token ${token}`,
    })
  }

  /** @throws rateLimited if the owner has its share; unavailable if the budget is used up */
  take(bytes: number, { address, token }: BodyOwner): void {
    if (this.#heldBy(address) + bytes > this.#limitBytes * ADDRESS_SHARE) throw shareIsUsedUp('from this address')
    if (this.#heldBy(token) + bytes > this.#limitBytes * TOKEN_SHARE) throw shareIsUsedUp('with this token')
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw unavailable({
        detail: 'Too many large bodies are being received at once. Try again in a few seconds.',
        retryAfterSec: RETRY_AFTER_SEC,
      })
    }
    this.#add(bytes, address, token)
  }

  release(bytes: number, { address, token }: BodyOwner): void {
    this.#add(-bytes, address, token)
  }

  #heldBy(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#usedBy.get(owner) ?? 0)
  }

  #add(bytes: number, ...owners: (string | undefined)[]): void {
    this.#usedBytes += bytes
    for (const owner of owners) {
      if (owner === undefined) continue
      const held = this.#heldBy(owner) + bytes
      if (held === 0) this.#usedBy.delete(owner)
      else this.#usedBy.set(owner, held)
    }
  }
}

/** The memory that one body holds of its budget, from its opening until its release. */
export class BodyMemory {
  readonly #budget: BodyBudget
  readonly #owner: BodyOwner
  #bytes = 0

  constructor(budget: BodyBudget, owner: BodyOwner) {
    this.#budget = budget
    this.#owner = owner
  }

  /**
   * Reserves the bytes that the body needs beyond its present ones.
   * @throws rateLimited, unavailable
   */
  growTo(bytes: number): void {
    this.#budget.take(bytes - this.#bytes, this.#owner)
    this.#bytes = bytes
  }

  release(): void {
    this.#budget.release(this.#bytes, this.#owner)
    this.#bytes = 0
  }
}

function shareIsUsedUp(whose: string) {
  return rateLimited({
    detail: `Too many large bodies are being received ${whose} at once. Try again in a few seconds.`,
    retryAfterSec: RETRY_AFTER_SEC,
  })
}

/** Allocating a shorter body costs the garbage collector nothing worth saving. */
const MIN_BUFFER_BYTES = 65_536
/** Longer bodies are rare, and a length that is announced proves nothing. */
const MAX_BUFFER_BYTES = 4 * 1_048_576
/** Buffers come in multiples of this, so that the next body fits even if it is a little longer. */
const BUFFER_STEP_BYTES = 524_288
const MAX_FREE_BUFFERS = 4

const freeBuffers: Buffer[] = []
const buffersInUse = new WeakMap<ArrayBufferLike, Buffer>()

/** Returns a buffer for a body of so many bytes, reused if possible; undefined if pooling is not worth it. */
export function takeBodyBuffer(bytes: number): Buffer | undefined {
  if (!(bytes > MIN_BUFFER_BYTES && bytes <= MAX_BUFFER_BYTES)) return undefined
  const fitting = freeBuffers.findIndex((buffer) => buffer.length >= bytes)
  const size = Math.ceil(bytes / BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES
  const buffer = fitting === -1 ? Buffer.allocUnsafeSlow(size) : freeBuffers.splice(fitting, 1)[0]
  buffersInUse.set(buffer.buffer, buffer)
  return buffer
}

/**
 * Returns the buffer of a body to the pool. To be called only when nothing refers to the body any more: the next
 * request overwrites its bytes. A body that is never released is left to the garbage collector.
 */
export function releaseBody(body: Buffer): void {
  const buffer = buffersInUse.get(body.buffer)
  if (buffer === undefined) return
  buffersInUse.delete(body.buffer)
  if (freeBuffers.length < MAX_FREE_BUFFERS) freeBuffers.push(buffer)
}

/**
 * Yields a body in the pieces in which it arrives. A piece is released when the next one is requested. The rest stays
 * unread when the caller stops.
 * @param refused ends the body with its error as soon as it rejects
 * @param brokenOff makes the error of a body whose connection fails
 */
export async function* arrivingPieces(
  body: Readable,
  refused: Promise<never>,
  brokenOff: (options: { cause: unknown }) => Error,
): AsyncGenerator<Buffer, void, void> {
  const pieces = body.iterator({ destroyOnReturn: false })
  let isRefused = false
  refused.catch(() => {
    isRefused = true
  })
  try {
    for (;;) {
      const piece = pieces.next().catch((cause: unknown) => {
        throw brokenOff({ cause })
      })
      const next = await Promise.race([piece, refused])
      if (next.done === true) return
      yield next.value
      releaseBytes(next.value)
    }
  } finally {
    // The iterator would wait for the piece that does not arrive.
    if (!isRefused) await pieces.return?.()
  }
}

/**
 * Gives the pieces of a body to `store` as they arrive. What follows the last one may take long for a large file; the
 * connection is not idle meanwhile.
 * @throws bodyTooSlow, and as `arrivingPieces`
 */
export async function storeArriving<Result>(
  request: IncomingMessage,
  brokenOff: (options: { cause: unknown }) => Error,
  store: (pieces: AsyncGenerator<Buffer, void, void>) => Promise<Result>,
): Promise<Result> {
  const tooSlow = Promise.withResolvers<never>()
  const watch = watchSpeed(request, tooSlow.reject)
  const result = await store(arrivingPieces(request, tooSlow.promise, brokenOff)).finally(() => endWatch(watch))
  request.socket.setTimeout(0)
  return result
}

/** Returns the bytes of a body for another thread. The memory of a longer body is never reused, and needs no copy. */
export function ownedBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return body.length > MAX_BUFFER_BYTES ? (body as Uint8Array<ArrayBuffer>) : new Uint8Array(body)
}

export const bodyTooSlow = defineError('REQUEST_TIMEOUT', 408, 'The body did not arrive in time.')

/**
 * Slowest speed at which a body may arrive, judged over each window. GPRS, the slowest network a phone meets, carries 1
 * to 5 kB per second and is silent for some seconds at every handover, so such a phone gets through. A body that
 * trickles holds its connection and its memory no longer than the window.
 */
const LEAST_BYTES_PER_SEC = 250
const WINDOW_MS = 30_000
const CHECK_EVERY_MS = 2000

const LEAST_BYTES_PER_WINDOW = (LEAST_BYTES_PER_SEC * WINDOW_MS) / 1000

/** A body that is arriving. */
type ArrivingBody = {
  readonly request: IncomingMessage
  readonly refuse: (error: Error) => void
  /** Beginning of the window, and the bytes that the connection had received by then; 0 before the first check. */
  sinceMs: number
  bytesBefore: number
}

/** One timer looks at all bodies, because a timer for each costs more than a small body does. */
const arriving = new Set<ArrivingBody>()
let stopChecks: (() => void) | undefined
let checkedAtMs = 0

/**
 * Calls `refuse` once, with `bodyTooSlow`, if the body of a request arrives too slowly. To be ended with `endWatch`.
 */
export function watchSpeed(request: IncomingMessage, refuse: (error: Error) => void): ArrivingBody {
  const body = { request, refuse, sinceMs: 0, bytesBefore: 0 }
  arriving.add(body)
  if (stopChecks === undefined) startChecks()
  return body
}

export function endWatch(body: ArrivingBody): void {
  arriving.delete(body)
}

function startChecks(): void {
  checkedAtMs = performance.now()
  stopChecks = ticking(CHECK_EVERY_MS, () => {
    checkAll(performance.now())
    if (arriving.size > 0) return
    stopChecks?.()
    stopChecks = undefined
  })
}

function checkAll(nowMs: number): void {
  // The process itself was held up, and has not read the bytes that arrived meanwhile.
  const wasLate = nowMs - checkedAtMs > 2 * CHECK_EVERY_MS
  checkedAtMs = nowMs
  for (const body of arriving) {
    const { request, sinceMs, bytesBefore, refuse } = body
    const { bytesRead } = request.socket
    // Unread bytes wait for us, such as for a slow disk, and not for the client.
    if (sinceMs === 0 || wasLate || request.complete || request.readableLength > 0) startWindow(body, nowMs, bytesRead)
    else if (nowMs - sinceMs < WINDOW_MS) continue
    else if (bytesRead - bytesBefore >= LEAST_BYTES_PER_WINDOW) startWindow(body, nowMs, bytesRead)
    else {
      arriving.delete(body)
      refuse(tooSlow())
    }
  }
}

function startWindow(body: ArrivingBody, nowMs: number, bytesRead: number): void {
  body.sinceMs = nowMs
  body.bytesBefore = bytesRead
}

/** The rest of the body may never arrive, so the connection is of no use for another request. */
function tooSlow() {
  return bodyTooSlow({
    detail: `The body arrived at less than ${LEAST_BYTES_PER_SEC} bytes per second.`,
    headers: { connection: 'close' },
  })
}

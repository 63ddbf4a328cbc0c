import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { tooManyUploads, uploadInProgress } from '../errors.ts'

/**
 * Uploads at once of one workspace and from one address: more than people and
 * programs start, far fewer than connections.
 */
const MAX_PER_WORKSPACE = 64
const MAX_PER_ADDRESS = 32
/**
 * Time without a byte after which an upload gives way to another one with its ticket: a phone that changed networks.
 */
const SILENT_MS = 2_000

type Place = { workspaceId: string; storageKey: string; address: string }

/**
 * Uploads in progress of this instance. Each ticket has one at a time. Between instances, the acknowledgement decides.
 */
export class UploadTurns {
  readonly #requests = new Map<string, IncomingMessage>()
  readonly #counts = new Map<string, number>()

  /**
   * Runs an upload.
   * @throws uploadInProgress if another one with the ticket is under way, unless its connection is silent;
   * tooManyUploads
   */
  async run<Result>(request: IncomingMessage, place: Place, upload: () => Promise<Result>): Promise<Result> {
    await this.#takeTicket(request, place.storageKey)
    const callers = [`workspace ${place.workspaceId}`, `address ${addressGroup(place.address)}`]
    const limits = [MAX_PER_WORKSPACE, MAX_PER_ADDRESS]
    try {
      if (callers.some((caller, i) => this.#count(caller) >= limits[i])) throw tooManyUploads({ headers: RETRY })
      for (const caller of callers) this.#counts.set(caller, this.#count(caller) + 1)
      return await upload().finally(() => {
        for (const caller of callers) this.#release(caller)
      })
    } finally {
      if (this.#requests.get(place.storageKey) === request) this.#requests.delete(place.storageKey)
    }
  }

  async #takeTicket(request: IncomingMessage, storageKey: string): Promise<void> {
    const first = this.#requests.get(storageKey)
    if (first !== undefined) {
      const [isFirstSilent, isSilent] = await Promise.all([hasFallenSilent(first), hasFallenSilent(request)])
      const present = this.#requests.get(storageKey)
      // An upload that is silent itself takes nobody's turn. Of several that wait, one continues.
      const mayContinue = present === undefined || (present === first && isFirstSilent && !isSilent)
      if (!mayContinue) throw uploadInProgress({ headers: RETRY })
      if (present === first) first.socket.destroy()
    }
    this.#requests.set(storageKey, request)
  }

  #count(caller: string): number {
    return this.#counts.get(caller) ?? 0
  }

  #release(caller: string): void {
    const left = this.#count(caller) - 1
    if (left > 0) this.#counts.set(caller, left)
    else this.#counts.delete(caller)
  }
}

const RETRY = { 'retry-after': '5' }

/**
 * Returns whether an upload's connection is closed, or brings no byte for a while although the body is not complete.
 */
async function hasFallenSilent(request: IncomingMessage): Promise<boolean> {
  const { socket } = request
  if (socket.destroyed) return true
  if (request.complete) return false
  const before = socket.bytesRead
  const closed = Promise.withResolvers<void>()
  socket.once('close', closed.resolve)
  await Promise.race([wait(SILENT_MS), closed.promise])
  socket.off('close', closed.resolve)
  // Whole bodies and full buffers wait for this server.
  const isHere = request.complete || request.readableLength >= request.readableHighWaterMark
  return socket.destroyed || (!isHere && socket.bytesRead === before)
}

import { LRUCache } from 'lru-cache'
import { RETRY_SOON_SEC, rateLimited } from '#platform/basics/errors.ts'
import { ConnectionLimit } from '#platform/http/connection-limit.ts'
import { type ContentEncoding, encodeBytes } from '#platform/http/kept-text.ts'
import { SharedWork } from '#platform/jobs/shared-work.ts'

/** Computations of one caller at once, waiting ones included. Many spectators may share one address. */
const MAX_PER_CALLER = 16

/** The caller who asks for an answer that has to be computed. */
export type AnswerCaller = {
  kind: 'operator' | 'spectator'
  /** The operator, or the group of the spectator's address. */
  key: string
  /** Encoding of the answer; undefined for none. */
  encoding: ContentEncoding | undefined
  /** Aborts when the client leaves. */
  left: AbortSignal
}

/**
 * Creates the memory of computed answers. An answer is computed and encoded once for all who ask for the same one, and
 * kept.
 * @param keptBytes memory for answers, encoded ones included
 * @param things the plural noun of a refusal's message, as in "tracks"
 * @returns a function that gives the answer of a name. It throws rateLimited if the caller has too many computations
 */
export function createKeptAnswers(keptBytes: number, things: string) {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: keptBytes,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  })
  const inProgress = new SharedWork<Uint8Array>()
  const callers = new ConnectionLimit({ total: Number.POSITIVE_INFINITY, perCaller: MAX_PER_CALLER })

  async function get(name: string, left: AbortSignal, make: (abandoned: AbortSignal) => Promise<Uint8Array>) {
    const known = kept.get(name)
    if (known !== undefined) return known
    const bytes = await inProgress.join(name, left, make)
    kept.set(name, bytes)
    return bytes
  }

  return async function answer(
    name: string,
    { kind, key, encoding, left }: AnswerCaller,
    compute: (abandoned: AbortSignal) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    async function limited(abandoned: AbortSignal): Promise<Uint8Array> {
      const release = callers.hold(key)
      if (release === undefined) throw tooManyOfCaller(things)
      return await compute(abandoned).finally(release)
    }

    // An operator never waits for the turn of a spectator.
    const own = `${kind} ${name}`
    const plain = (aborts: AbortSignal) => get(own, aborts, limited)
    if (encoding === undefined) return await plain(left)
    return await get(`${own} ${encoding}`, left, async (abandoned) => encodeBytes(await plain(abandoned), encoding))
  }
}

function tooManyOfCaller(things: string) {
  const detail = `Too many ${things} are being computed for this caller. Try again shortly.`
  return rateLimited({ detail, retryAfterSec: RETRY_SOON_SEC })
}

import { createHmac, randomBytes } from 'node:crypto'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { deriveKey, type Secrets } from '#platform/security/secret.ts'
import type { FiguresStore } from '../storage/figures-store.ts'

/** The traits of a request that distinguish readers. They are never stored. */
type ReaderTraits = { address: string; userAgent: string }

/** Returns the identifier of a reader of a publication for the rest of a day. */
export type ReaderHash = (day: string, publicationId: string, traits: ReaderTraits) => Promise<string>

const SALT_BYTES = 32
const HASH_LENGTH = 22

/**
 * Identifies readers without cookies, like Plausible Analytics (https://plausible.io/data-policy): a hash of the
 * address and the user agent with a random salt that is deleted after its day, so that nobody can tell who it was,
 * nor recognize the reader on another day. The hash includes the publication, so that a reader of two publications
 * counts as two; and a key outside of the database, because addresses are few enough to try them all with the
 * salt. An IPv6 address counts by its network, because the rest of it changes on its own. With a new secret, who
 * has read before counts once more that day.
 */
export function createReaderHash(salts: Pick<FiguresStore, 'saltOf'>, [newest]: Secrets): ReaderHash {
  const key = deriveKey(newest, 'readers')
  let today: { day: string; salt: Promise<Uint8Array> } | undefined

  async function saltOf(day: string): Promise<Uint8Array> {
    if (today?.day !== day) today = { day, salt: salts.saltOf(day, randomBytes(SALT_BYTES)) }
    const { salt } = today
    try {
      return await salt
    } catch (error) {
      if (today?.salt === salt) today = undefined
      throw error
    }
  }

  return async (day, publicationId, { address, userAgent }) => {
    const salted = createHmac('sha256', key).update(await saltOf(day))
    const traits = JSON.stringify([publicationId, addressGroup(address), userAgent])
    return createHmac('sha256', salted.digest()).update(traits).digest('base64url').slice(0, HASH_LENGTH)
  }
}

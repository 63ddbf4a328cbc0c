import { lookup, Resolver } from 'node:dns/promises'
import pLimit from 'p-limit'

/** Returns the addresses of a host name. Rejects if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const QUERY_TIMEOUT_MS = 3000
const TRIES = 2

/**
 * Resolves names by DNS queries of its own. `lookup` of Node.js would occupy one of the four threads that files and
 * compression use, and a slow name server could hold all of them. It is asked, one name at a time, for names that only
 * the machine's hosts file has.
 */
export function createResolveName(): ResolveName {
  const oneAtATime = pLimit(1)
  return async (name) => {
    if (name === 'localhost') return ['127.0.0.1', '::1']
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (addresses.length > 0) return addresses
    return (await oneAtATime(() => lookup(name, { all: true }))).map(({ address }) => address)
  }
}

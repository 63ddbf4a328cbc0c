import type { MapPage, MapPages } from '#platform/http/server/map-pages.ts'
import { type ChosenMap, OUTLINES_PAGE, type PageMap } from '../maps/chosen-map.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'

type Deps = { chosenMap: Pick<ChosenMap, 'forPages'> }

/** Hosts that a style may load from before it is chosen; those of this machine are for trying a style out. */
const PREVIEW_SOURCES = ['https:', 'http://localhost:*', 'http://127.0.0.1:*']

/**
 * Creates what pages with a map need, by the map that operators have chosen. Every service with such pages uses it.
 * While the operators' database is away, pages keep the map that was known last.
 */
export function createMapPages({ chosenMap }: Deps): MapPages {
  let last: PageMap = OUTLINES_PAGE
  return {
    async forPage() {
      last = await chosenMap.forPages().catch(() => last)
      const { inUse, origins } = last
      return {
        contentSecurityPolicy: (nonce, frames) => contentSecurityPolicy(nonce, origins, frames),
        metaValues: (nonce) => ({ 'csp-nonce': nonce, map: JSON.stringify(inUse) }),
      }
    },
  }
}

/**
 * The page within the page of settings that shows a style before it is chosen, when nobody knows yet which hosts it
 * loads from. It may load from any, and run only the scripts of this server.
 */
export const previewPage: MapPage = {
  contentSecurityPolicy: (nonce) => contentSecurityPolicy(nonce, PREVIEW_SOURCES, 'self'),
  metaValues: (nonce) => ({ 'csp-nonce': nonce }),
}

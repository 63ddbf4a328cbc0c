import type { MapPage, MapPages } from '#platform/pages/map-pages.ts'
import { contentSecurityPolicy, type FrameAncestors } from '#platform/pages/page-headers.ts'
import { type ChosenMap, OUTLINES_PAGE, type PageMap } from './chosen-map.ts'

/** Hosts that a style may load from before it is chosen; hosts of this machine serve to try a style out. */
const PREVIEW_SOURCES = ['https:', 'http://localhost:*', 'http://127.0.0.1:*']

/**
 * Creates the settings of pages with a map, by the map that operators have chosen. Every service with such pages uses
 * it. While the operators' database is away, pages keep the last known map.
 */
export function createMapPages(chosenMap: ChosenMap): MapPages {
  let last: PageMap = OUTLINES_PAGE
  return {
    async forPage() {
      last = await chosenMap.forPages().catch(() => last)
      const { inUse, origins } = last
      return {
        contentSecurityPolicy: (nonce, frames) => mapPolicy(nonce, origins, frames),
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
  contentSecurityPolicy: (nonce) => mapPolicy(nonce, PREVIEW_SOURCES, 'self'),
  metaValues: (nonce) => ({ 'csp-nonce': nonce }),
}

/**
 * Returns the policy for the dashboard's pages, and for other pages with a map (CSP Level 3). Scripts come from the
 * server only. Style sheets that components add to the page carry the nonce of the response; styles set on an element
 * by script need none. A map loads its tiles from `mapOrigins` and runs its worker from a blob.
 */
function mapPolicy(nonce: string, mapOrigins: readonly string[], frames: FrameAncestors = 'none'): string {
  const maps = mapOrigins.map((origin) => ` ${origin}`).join('')
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': `'self' data: blob:${maps}`,
    'connect-src': `'self'${maps}`,
    'font-src': "'self'",
    'worker-src': "'self' blob:",
    'frame-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
  }
  return contentSecurityPolicy(directives, frames)
}

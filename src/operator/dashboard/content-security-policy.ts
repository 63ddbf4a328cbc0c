import type { FrameAncestors } from '#platform/http/server/map-pages.ts'

const FRAMES: Record<FrameAncestors, string> = { none: "'none'", self: "'self'", any: '*' }

/**
 * Returns the policy for the dashboard's pages, and for other pages with a map (CSP Level 3). Scripts come from the
 * server only. Style sheets that components add to the page carry the nonce of the response; styles set on an element
 * by script need none. A map loads its tiles from `mapOrigins` and runs its worker from a blob.
 */
export function contentSecurityPolicy(
  nonce: string,
  mapOrigins: readonly string[],
  frames: FrameAncestors = 'none',
): string {
  const maps = mapOrigins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${maps}`,
    `connect-src 'self'${maps}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${FRAMES[frames]}`,
  ].join('; ')
}

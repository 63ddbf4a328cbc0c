import type { FrameAncestors, MapPage } from '#platform/http/server/map-pages.ts'

/**
 * Returns the headers of every spectators' page. Its address is a secret: it is not sent to other sites, and no search
 * engine keeps it. The page sets and reads no cookies.
 */
export function pageHeaders(
  map: Pick<MapPage, 'contentSecurityPolicy'>,
  nonce: string,
  frames: FrameAncestors,
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': map.contentSecurityPolicy(nonce, frames),
    // For browsers that do not know frame-ancestors.
    ...(frames === 'none' && { 'x-frame-options': 'DENY' }),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), payment=(), usb=()',
    // Going back shows the page as it was; opening it asks again, as the share may have ended.
    'cache-control': 'private, no-cache',
    vary: 'Accept-Language, Accept-Encoding',
  }
}

/**
 * Returns the policy for the dashboard's pages (CSP Level 3). Scripts come from the server only. Style sheets that
 * components add to the page carry the nonce of the response; styles set on an element by script need none. A map loads
 * its tiles from `mapOrigins` and runs its worker from a blob.
 */
export function contentSecurityPolicy(nonce: string, mapOrigins: readonly string[]): string {
  const maps = mapOrigins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${maps}`,
    `connect-src 'self'${maps}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Returns the origins that maps load from: that of the style, and the others that are set. */
export function mapOriginsOf(styleUrl: string, others: readonly string[]): string[] {
  const own = styleUrl === '' ? [] : [new URL(styleUrl).origin]
  return [...new Set([...own, ...others])]
}

/** Where a page's parts come from: addresses whose origins its content security policy names. */
export type PageOrigins = { base: string; public: string; cdn: string }

/**
 * The headers of every page. It runs the scripts and takes the styles of its own origin alone, shows images of the image
 * delivery, and asks the API; only `/embed` may stand in a frame.
 */
export function pageHeaders(origins: PageOrigins, frames: 'none' | 'any'): Record<string, string> {
  const [api, site, images] = [origins.base, origins.public, origins.cdn].map((address) => new URL(address).origin)
  const policy = {
    'default-src': "'none'",
    'img-src': `'self' ${images} data:`,
    'style-src': "'self'",
    'script-src': "'self'",
    'connect-src': `'self' ${[...new Set([site, api, images])].join(' ')}`,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': frames === 'any' ? '*' : "'none'",
  }
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    // Kept and asked about each time: a withdrawal must show at once.
    'cache-control': 'public, max-age=0, must-revalidate',
    vary: 'Accept-Language, Accept-Encoding',
    // Browsers that do not know frame-ancestors.
    ...(frames === 'none' && { 'x-frame-options': 'DENY' }),
  }
}

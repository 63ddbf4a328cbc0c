/** Addresses whose origins the content security policy of a page names. */
type PageOrigins = { base: string; public: string; cdn: string }

/**
 * Returns the headers of every page. A page may use scripts and styles of its own origin only, images of the image
 * delivery, and the API. Only `/embed` may be framed.
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
    // Without scripts, a form searches the document.
    'form-action': "'self'",
    'frame-ancestors': frames === 'any' ? '*' : "'none'",
  }
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    // Browsers keep pages but revalidate them each time: an unpublished one must disappear at once.
    'cache-control': 'public, max-age=0, must-revalidate',
    vary: 'Accept-Language, Accept-Encoding',
    // For browsers that do not know frame-ancestors.
    ...(frames === 'none' && { 'x-frame-options': 'DENY' }),
  }
}

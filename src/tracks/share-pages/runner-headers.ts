import { contentSecurityPolicy, pageHeaders } from '#platform/pages/page-headers.ts'

/**
 * Returns the headers of a code's page. Its address is a secret: it is not sent to other sites, and neither search
 * engines nor caches keep it.
 */
export function headersOf(nonce: string): Record<string, string> {
  const policy = contentSecurityPolicy(
    {
      'default-src': "'none'",
      'style-src': `'nonce-${nonce}'`,
      'script-src': `'nonce-${nonce}'`,
      'img-src': 'data:',
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
    },
    'none',
  )
  return {
    ...pageHeaders(policy, 'none'),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  }
}

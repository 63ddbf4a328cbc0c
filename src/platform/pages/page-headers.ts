/** Sites that may show a page in a frame. */
export type FrameAncestors = 'none' | 'self' | 'any'

const FRAMES: Record<FrameAncestors, string> = { none: "'none'", self: "'self'", any: '*' }

/** Writes a content security policy (CSP Level 3) from the sources of its directives. */
export function contentSecurityPolicy(directives: Readonly<Record<string, string>>, frames: FrameAncestors): string {
  const all = { ...directives, 'frame-ancestors': FRAMES[frames] }
  return Object.entries(all)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}

/** Returns the headers that all pages in several languages share. */
export function pageHeaders(policy: string, frames: FrameAncestors): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    // For browsers that do not know frame-ancestors.
    ...(frames === 'none' && { 'x-frame-options': 'DENY' }),
    vary: 'Accept-Language, Accept-Encoding',
  }
}

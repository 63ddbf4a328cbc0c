import { preferredMediaType } from '#platform/http/negotiation.ts'

/**
 * Tells whether a client gets WebP: only one that names `image/webp` and prefers it to JPEG (RFC 9110, 12.5.1). A
 * client that accepts anything often shows no more than JPEG.
 */
export function acceptsWebp(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    /image\/webp/i.test(accept) &&
    preferredMediaType(accept, ['image/webp', 'image/jpeg']) === 'image/webp'
  )
}

/** Tells whether a client that gets WebP can show JPEG as well, as every browser says. */
export function acceptsJpegToo(accept: string | undefined): boolean {
  return acceptsWebp(accept) && preferredMediaType(accept, ['image/jpeg']) !== undefined
}

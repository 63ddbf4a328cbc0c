/**
 * Whether a client is to get WebP: only one that names `image/webp`, and does not like JPEG better. What says that it
 * takes anything often shows no more than JPEG. @see RFC 9110, 12.5.1
 */
export function acceptsWebp(accept: string | undefined): boolean {
  if (accept === undefined || !/image\/webp/i.test(accept)) return false
  const qualities = readQualities(accept)
  const webp = qualities.get('image/webp') ?? 0
  const jpeg = qualities.get('image/jpeg') ?? qualities.get('image/*') ?? qualities.get('*/*') ?? 0
  return webp > 0 && webp >= jpeg
}

/** The quality of each media range by its name, 1 where none is said; parameters of the media type do not matter here. */
function readQualities(accept: string): Map<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
      const value = quality === undefined ? 1 : Number.parseFloat(quality.slice(quality.indexOf('=') + 1))
      return [name, Number.isFinite(value) ? Math.min(Math.max(value, 0), 1) : 0]
    }),
  )
}

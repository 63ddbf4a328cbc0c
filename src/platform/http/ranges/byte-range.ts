/** The bytes from `start` to `end`, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

/** `first-pos "-" [ last-pos ]` or `"-" suffix-length` (RFC 9110, 14.1.1). */
const RANGE_SPEC = /^(\d*)-(\d*)$/

/**
 * Returns the part of `size` bytes that a Range header requests (RFC 9110, 14.2). An unknown form or several ranges
 * mean the whole, as the RFC allows: several would have to be sent as `multipart/byteranges`, which PDF readers do not
 * request and which overlapping ranges abuse.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [unit, set, ...rest] = (header ?? '').split('=')
  if (unit.trim().toLowerCase() !== 'bytes' || set === undefined || rest.length > 0) return 'whole'
  // Empty elements of a list are ignored (RFC 9110, 5.6.1).
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  const [, first, last] = (specs.length === 1 && RANGE_SPEC.exec(specs[0])) || []
  if (first === undefined || (first === '' && last === '')) return 'whole'
  return first === '' ? lastBytes(Number(last), size) : bytesFrom(Number(first), last, size)
}

function lastBytes(length: number, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable'
  // The whole, even if it is empty, which no Content-Range can express.
  if (length >= size) return size === 0 ? 'whole' : { start: 0, end: size - 1 }
  return { start: size - length, end: size - 1 }
}

function bytesFrom(start: number, last: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

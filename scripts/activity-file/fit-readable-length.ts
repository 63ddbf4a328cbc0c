const SMALLEST_HEADER = 12
const COMPRESSED_HEADER = 0x80
const DEFINITION_HEADER = 0x40
const DEVELOPER_FIELDS = 0x20
const RESERVED_BITS = 0x30
/** Reserved byte, byte order, message number (2), field count: what precedes the fields of a definition. */
const DEFINITION_PREFIX = 5
const BYTES_PER_FIELD = 3

/**
 * Returns the length of the part of a FIT file with complete, well-formed messages: less than the file if an upload was
 * cut short or bytes were overwritten. Follows the record layout of the FIT protocol (Garmin FIT SDK, "FIT Protocol").
 */
export function fitReadableLength(bytes: Uint8Array): number {
  const sizes: (number | undefined)[] = []
  let at = Math.max(bytes[0], SMALLEST_HEADER)
  while (at < bytes.length) {
    const next = endOfMessage(bytes, at, sizes)
    if (next === undefined || next > bytes.length) break
    at = next
  }
  return Math.min(at, bytes.length)
}

/** Returns the end of the message at `at`, and records its definition in `sizes`; undefined if it is not a message. */
function endOfMessage(bytes: Uint8Array, at: number, sizes: (number | undefined)[]): number | undefined {
  const header = bytes[at]
  if ((header & COMPRESSED_HEADER) !== 0) return endOfData(at, sizes[(header >> 5) & 3])
  if ((header & DEFINITION_HEADER) !== 0) return endOfDefinition(bytes, at, sizes)
  return (header & RESERVED_BITS) === 0 ? endOfData(at, sizes[header & 15]) : undefined
}

function endOfData(at: number, size: number | undefined): number | undefined {
  return size === undefined ? undefined : at + 1 + size
}

function endOfDefinition(bytes: Uint8Array, at: number, sizes: (number | undefined)[]): number {
  let size = 0
  let next = at + 1 + DEFINITION_PREFIX
  const addFields = (count: number) => {
    for (let field = 0; field < count; field++) size += bytes[next + field * BYTES_PER_FIELD + 1]
    next += count * BYTES_PER_FIELD
  }
  addFields(bytes[next - 1])
  if ((bytes[at] & DEVELOPER_FIELDS) !== 0) addFields(bytes[next++])
  sizes[bytes[at] & 15] = size
  return next
}

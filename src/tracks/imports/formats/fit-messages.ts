const COMPRESSED_HEADER = 0x80
const DEFINITION_HEADER = 0x40
const DEVELOPER_FIELDS = 0x20
/** Reserved byte, byte order, message number (2), field count: what precedes the fields of a definition. */
const DEFINITION_PREFIX = 5
const BYTES_PER_FIELD = 3

/** The bytes that the messages of each local type have, as a file has defined them so far. */
export type MessageSizes = (number | undefined)[]

/**
 * Returns the end of the message at `at`, and records its definition in `sizes`; undefined if it is not a message.
 * Follows the record layout of the FIT protocol (Garmin FIT SDK, "FIT Protocol"). The end may be beyond that of
 * `bytes`.
 */
export function endOfMessage(bytes: Uint8Array, at: number, sizes: MessageSizes): number | undefined {
  const header = bytes[at]
  if ((header & COMPRESSED_HEADER) === 0 && (header & DEFINITION_HEADER) !== 0) return endOfDefinition(bytes, at, sizes)
  const size = sizes[(header & COMPRESSED_HEADER) !== 0 ? (header >> 5) & 3 : header & 15]
  return size === undefined ? undefined : at + 1 + size
}

function endOfDefinition(bytes: Uint8Array, at: number, sizes: MessageSizes): number {
  let size = 0
  let next = at + 1 + DEFINITION_PREFIX
  const addFields = (count: number) => {
    for (let field = 0; field < count; field++) size += bytes[next + field * BYTES_PER_FIELD + 1] ?? 0
    next += count * BYTES_PER_FIELD
  }
  addFields(bytes[next - 1] ?? 0)
  if ((bytes[at] & DEVELOPER_FIELDS) !== 0) addFields(bytes[next++] ?? 0)
  sizes[bytes[at] & 15] = size
  return next
}

import { endOfMessage, type MessageSizes } from '../../src/tracks/imports/formats/fit-messages.ts'

const SMALLEST_HEADER = 12
/** The highest two bits are set in a header that is compressed or begins a definition. */
const SPECIAL_HEADER = 0xc0
/** Bits that are not set in any other header. Bytes that were overwritten often have them. */
const RESERVED_BITS = 0x30

/**
 * Returns the length of the part of a FIT file with complete, well-formed messages: less than the file if an upload was
 * cut short or bytes were overwritten.
 */
export function fitReadableLength(bytes: Uint8Array): number {
  const sizes: MessageSizes = []
  let at = Math.max(bytes[0], SMALLEST_HEADER)
  while (at < bytes.length) {
    if ((bytes[at] & SPECIAL_HEADER) === 0 && (bytes[at] & RESERVED_BITS) !== 0) break
    const next = endOfMessage(bytes, at, sizes)
    if (next === undefined || next > bytes.length) break
    at = next
  }
  return Math.min(at, bytes.length)
}

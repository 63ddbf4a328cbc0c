import { ImportFileError, MAX_POINTS_PER_FILE } from '../recordings/recorded-track.ts'
import { endOfMessage, type MessageSizes } from './fit-messages.ts'

const SIGNATURE_START = 8
const SIGNATURE = [0x2e, 0x46, 0x49, 0x54]
const DATA_SIZE_START = 4
const SMALLEST_HEADER = 12
const CRC_BYTES = 2
/** Beside its records, an activity has an event, a lap and some device messages now and then. */
const MAX_MESSAGES = 2 * MAX_POINTS_PER_FILE

/** Tells whether the bytes start with a header of the FIT protocol, with `.FIT` in its bytes 8 to 11. */
export function isFit(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[SIGNATURE_START + i] === byte)
}

/**
 * Cuts a file into the FIT files that are chained in it, nearly always one (FIT protocol, "Chained FIT Files"), and
 * counts their messages: each takes memory in the parser, however few bytes it has.
 * @throws ImportFileError for a file that is cut short, has other bytes at its end, or has too many messages
 */
export function splitFit(bytes: Uint8Array): Uint8Array[] {
  const files: Uint8Array[] = []
  let messages = 0
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.subarray(at)
    if (!isFit(rest))
      throw at === 0
        ? new ImportFileError('unknown_format', 'is no FIT file')
        : new ImportFileError('damaged', 'has other bytes after its end')
    const headerBytes = rest[0]
    const dataBytes = new DataView(rest.buffer, rest.byteOffset).getUint32(DATA_SIZE_START, true)
    const end = headerBytes + dataBytes + CRC_BYTES
    if (headerBytes < SMALLEST_HEADER) throw new ImportFileError('damaged', 'has a FIT header of a wrong size')
    if (end > rest.length) {
      throw new ImportFileError(
        'cut_short',
        `is cut short: its header announces ${end} bytes, and ${rest.length} are there`,
      )
    }
    messages += countMessages(rest.subarray(0, end - CRC_BYTES), headerBytes, MAX_MESSAGES - messages)
    files.push(rest.subarray(0, end))
    at += end
  }
  return files
}

/** Counts messages from `at` on. What is no message is left to the parser, which refuses it. */
function countMessages(bytes: Uint8Array, at: number, limit: number): number {
  const sizes: MessageSizes = []
  let count = 0
  let next: number | undefined = at
  while (next !== undefined && next < bytes.length) {
    if (++count > limit)
      throw new ImportFileError('too_much', `has more than ${MAX_MESSAGES.toLocaleString('en')} messages`)
    next = endOfMessage(bytes, next, sizes)
  }
  return count
}

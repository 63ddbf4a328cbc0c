import { CRC_LENGTH } from './chunk-codec.ts'

/**
 * Tells whether the bytes of a damaged chunk were those of an undamaged one: they are as long, and either end with the
 * same checksum, so that the damage is in what precedes it, or differ in the checksum alone.
 */
export function isSameChunk(damaged: Uint8Array, undamaged: Uint8Array): boolean {
  if (damaged.length !== undamaged.length) return false
  const end = damaged.length - CRC_LENGTH
  const isEqual = (from: number, to?: number) =>
    Buffer.compare(damaged.subarray(from, to), undamaged.subarray(from, to)) === 0
  return isEqual(end) || isEqual(0, end)
}
